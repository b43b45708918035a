// right: launches nothing where there is nothing to do

#include <cuda_runtime.h>

#include <cstdint>

// In each round the threads of the grid stand side by side on neighbouring elements; then all step on.
__global__ void saxpy_kernel(std::int64_t first, std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t start = first + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::int64_t i = start; i < n; i += stride) {
    y[i] = a * x[i] + y[i];
  }
}

void saxpy_range(int blocks, int threads, std::int64_t first, std::int64_t n, float a, const float* d_x,
                 float* d_y) {
  if (first >= n) return;
  saxpy_kernel<<<blocks, threads>>>(first, n, a, d_x, d_y);
}
