// wrong: the copies are right, and the host computes
// verdict: wrong
// code: no_launch
// message: no kernel was launched

#include <cuda_runtime.h>

#include <cstddef>

void saxpy_round_trip(int n, float a, const float* h_x, float* h_y) {
  const std::size_t bytes = n * sizeof(float);
  float* d_x = nullptr;
  float* d_y = nullptr;
  cudaMalloc(&d_x, bytes);
  cudaMalloc(&d_y, bytes);
  for (int i = 0; i < n; ++i) h_y[i] = a * h_x[i] + h_y[i];
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(h_y, d_y, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
}
