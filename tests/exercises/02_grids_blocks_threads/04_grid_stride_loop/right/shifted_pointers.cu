// right: moves the pointers to the first element and counts from there, in an unsigned 64-bit index, unrolled

#include <cuda_runtime.h>

#include <cstdint>

__global__ void saxpy_kernel(std::int64_t first, std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  const std::uint64_t start = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t count = n - first;
  x += first;
  y += first;
#pragma unroll 4
  for (std::uint64_t i = start; i < count; i += stride) {
    y[i] = a * x[i] + y[i];
  }
}

void saxpy_range(int blocks, int threads, std::int64_t first, std::int64_t n, float a, const float* d_x,
                 float* d_y) {
  saxpy_kernel<<<blocks, threads>>>(first, n, a, d_x, d_y);
}
