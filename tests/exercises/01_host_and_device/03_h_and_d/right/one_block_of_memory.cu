// right: one allocation for both arrays, freed as one

#include <cuda_runtime.h>

#include <cstddef>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}

void saxpy_round_trip(int n, float a, const float* h_x, float* h_y) {
  const std::size_t bytes = n * sizeof(float);
  float* d_both = nullptr;
  cudaMalloc(&d_both, 2 * bytes);
  float* const d_x = d_both;
  float* const d_y = d_both + n;
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice);
  saxpy<<<(n + 1023) / 1024, 1024>>>(n, a, d_x, d_y);
  cudaMemcpy(h_y, d_y, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_both);
}
