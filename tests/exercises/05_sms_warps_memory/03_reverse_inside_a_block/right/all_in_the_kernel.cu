// right: one kernel without a function of its own; threads behind the last number clear their place first
#include <cuda_runtime.h>

__global__ void reverse_kernel(float* x, int n) {
  extern __shared__ float board[];
  float* packet = x + std::size_t(blockIdx.x) * blockDim.x;
  const int here = n - int(blockIdx.x * blockDim.x);
  board[threadIdx.x] = 0;
  if (int(threadIdx.x) < here) board[threadIdx.x] = packet[threadIdx.x];
  __syncthreads();
  packet[blockDim.x - 1 - threadIdx.x] = board[threadIdx.x];
}

// n from 0 up; packets of 1 to 1024 numbers. d_x has room for whole packets. One block for each packet, and
// no other device memory. Does not wait for the device.
void reverse_packets(float* d_x, int n, int packet) {
  if (n == 0) return;
  reverse_kernel<<<(n - 1) / packet + 1, packet, packet * sizeof(float)>>>(d_x, n);
}
