// wrong: covers the array by many launches of a kernel without a loop
// verdict: wrong
// code: other_grid
// message: launches

#include <cuda_runtime.h>

#include <cstdint>

__global__ void saxpy_kernel(std::int64_t first, std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t start = first + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (start < n) y[start] = a * x[start] + y[start];
}

void saxpy_range(int blocks, int threads, std::int64_t first, std::int64_t n, float a, const float* d_x,
                 float* d_y) {
  const std::int64_t step = std::int64_t{blocks} * threads;
  for (std::int64_t at = first; at < n; at += step) {
    saxpy_kernel<<<blocks, threads>>>(at, n, a, d_x, d_y);
  }
}
