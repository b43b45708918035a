// wrong: an int index, which is negative beyond 2^31
// verdict: wrong
// code: uninitialised_read
// message: 2147483647

#include <cuda_runtime.h>

#include <cstdint>

__global__ void saxpy_kernel(std::int64_t first, std::int64_t n, float a, const float* x, float* y) {
  const int stride = gridDim.x * blockDim.x;
  const int start = static_cast<int>(first) + blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = start; i < n; i += stride) {
    y[i] = a * x[i] + y[i];
  }
}

void saxpy_range(int blocks, int threads, std::int64_t first, std::int64_t n, float a, const float* d_x,
                 float* d_y) {
  saxpy_kernel<<<blocks, threads>>>(first, n, a, d_x, d_y);
}
