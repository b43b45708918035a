// wrong: pins h_y, and then calls it the memory of the device. One address for both sides lets that pass
// verdict: wrong
// code: kind_by_luck
// message: says device to device; its pointers go host to device

#include <cuda_runtime.h>

#include <cstddef>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy_round_trip(int n, float a, const float* h_x, float* h_y) {
  const std::size_t bytes = n * sizeof(float);
  float* d_x = nullptr;
  float* d_y = nullptr;
  cudaMalloc(&d_x, bytes);
  cudaMalloc(&d_y, bytes);
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  cudaHostRegister(h_y, bytes, cudaHostRegisterDefault);
  cudaMemcpy(d_y, h_y, bytes, cudaMemcpyDeviceToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(n, a, d_x, d_y);
  cudaMemcpy(h_y, d_y, bytes, cudaMemcpyDeviceToHost);
  cudaHostUnregister(h_y);
  cudaFree(d_x);
  cudaFree(d_y);
}
