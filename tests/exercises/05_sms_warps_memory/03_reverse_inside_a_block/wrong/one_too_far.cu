// wrong: takes the mirror image of thread t to be blockDim.x - t
// verdict: wrong
// code: shared_out_of_bounds
// message: offset 1024; the block has 1024 bytes
#include <cuda_runtime.h>

// Every thread of the block calls this, with the number it brings, and gets the number of its mirror image:
// thread 0 that of the last thread, thread 1 that of the last but one, and so on.
__device__ float mirrored(float mine) {
  extern __shared__ float board[];  // as many bytes as the launch asks for
  board[threadIdx.x] = mine;
  __syncthreads();
  return board[blockDim.x - threadIdx.x];
}

__global__ void reverse_kernel(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < n ? x[i] : 0.0f;
  x[i] = mirrored(mine);
}

// n from 0 up; packets of 1 to 1024 numbers. d_x has room for whole packets. One block for each packet, and
// no other device memory. Does not wait for the device.
void reverse_packets(float* d_x, int n, int packet) {
  if (n == 0) return;
  reverse_kernel<<<(n - 1) / packet + 1, packet, packet * sizeof(float)>>>(d_x, n);
}
