// wrong: only threads that have a number come to the barrier; the others look at once
// verdict: wrong
// message: barrier
// seen: simulated
#include <cuda_runtime.h>

// Every thread of the block calls this, with the number it brings, and gets the number of its mirror image:
// thread 0 that of the last thread, thread 1 that of the last but one, and so on.
__global__ void reverse_kernel(float* x, int n) {
  extern __shared__ float board[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    board[threadIdx.x] = x[i];
    __syncthreads();
  } else {
    board[threadIdx.x] = 0;
  }
  x[i] = board[blockDim.x - 1 - threadIdx.x];
}

// n from 0 up; packets of 1 to 1024 numbers. d_x has room for whole packets. One block for each packet, and
// no other device memory. Does not wait for the device.
void reverse_packets(float* d_x, int n, int packet) {
  if (n == 0) return;
  reverse_kernel<<<(n - 1) / packet + 1, packet, packet * sizeof(float)>>>(d_x, n);
}
