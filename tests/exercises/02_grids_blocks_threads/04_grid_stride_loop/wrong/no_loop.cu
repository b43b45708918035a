// wrong: a guard and no loop: a small grid does only its first elements
// verdict: wrong
// code: pattern.tail
// message: 1 block of 1

#include <cuda_runtime.h>

#include <cstdint>

__global__ void saxpy_kernel(std::int64_t first, std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t start = first + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (start < n) y[start] = a * x[start] + y[start];
}

void saxpy_range(int blocks, int threads, std::int64_t first, std::int64_t n, float a, const float* d_x,
                 float* d_y) {
  saxpy_kernel<<<blocks, threads>>>(first, n, a, d_x, d_y);
}
