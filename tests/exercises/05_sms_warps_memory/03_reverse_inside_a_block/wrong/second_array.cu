// wrong: writes into other memory and copies it back
// verdict: wrong
// code: other_memory
// message: Which memory do the threads of one block share
#include <cuda_runtime.h>

// Every thread of the block calls this, with the number it brings, and gets the number of its mirror image:
// thread 0 that of the last thread, thread 1 that of the last but one, and so on.
__device__ float mirrored(float mine) {
  extern __shared__ float board[];  // as many bytes as the launch asks for
  board[threadIdx.x] = mine;
  __syncthreads();
  return board[blockDim.x - 1 - threadIdx.x];
}

__global__ void reverse_kernel(const float* x, int n, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = mirrored(i < n ? x[i] : 0.0f);
}

void reverse_packets(float* d_x, int n, int packet) {
  if (n == 0) return;
  const int blocks = (n - 1) / packet + 1;
  float* d_y = nullptr;
  cudaMalloc(&d_y, blocks * packet * sizeof(float));
  reverse_kernel<<<blocks, packet, packet * sizeof(float)>>>(d_x, n, d_y);
  cudaMemcpy(d_x, d_y, blocks * packet * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(d_y);
}
