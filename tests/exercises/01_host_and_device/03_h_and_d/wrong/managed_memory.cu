// wrong: managed memory: the copies are made by the page, behind the program's back
// verdict: wrong
// code: managed_memory
// message: gives memory that belongs to both sides

#include <cuda_runtime.h>

#include <cstddef>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy_round_trip(int n, float a, const float* h_x, float* h_y) {
  float* x = nullptr;
  float* y = nullptr;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < n; ++i) x[i] = h_x[i], y[i] = h_y[i];
  saxpy<<<(n + 255) / 256, 256>>>(n, a, x, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) h_y[i] = y[i];
  cudaFree(x);
  cudaFree(y);
}
