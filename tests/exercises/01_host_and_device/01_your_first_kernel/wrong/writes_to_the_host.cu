// wrong: gives the kernel an array of the host to write to, and copies from there
// verdict: wrong
// code: host_pointer
// message: host
// seen: simulated

#include <cuda_runtime.h>

__global__ void square(const int* x, int* y) {
  const int i = threadIdx.x;
  y[i] = x[i] * x[i];
}

void square_all(const int* d_x, int* d_y) {
  int h_y[32];
  square<<<1, 32>>>(d_x, h_y);
  cudaMemcpy(d_y, h_y, sizeof h_y, cudaMemcpyHostToDevice);
}
