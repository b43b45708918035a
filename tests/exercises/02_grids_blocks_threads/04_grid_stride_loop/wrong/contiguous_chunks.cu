// wrong: a piece of the array for each thread: right, and neighbouring threads are a piece apart
// verdict: too slow
// code: bound.one_each
// message: neighbour

#include <cuda_runtime.h>

#include <cstdint>

__global__ void saxpy_kernel(std::int64_t first, std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t piece = (n - first + threads - 1) / threads;
  const std::int64_t start = first + (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * piece;
  for (std::int64_t i = start; i < start + piece && i < n; ++i) {
    y[i] = a * x[i] + y[i];
  }
}

void saxpy_range(int blocks, int threads, std::int64_t first, std::int64_t n, float a, const float* d_x,
                 float* d_y) {
  saxpy_kernel<<<blocks, threads>>>(first, n, a, d_x, d_y);
}
