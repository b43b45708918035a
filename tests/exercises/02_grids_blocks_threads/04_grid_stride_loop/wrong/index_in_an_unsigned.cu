// wrong: an unsigned index starts again at 0 after 2^32 elements
// verdict: wrong
// code: uninitialised_read
// message: 2147483647

#include <cuda_runtime.h>

#include <cstdint>

__global__ void saxpy_kernel(std::int64_t first, std::int64_t n, float a, const float* x, float* y) {
  const unsigned stride = gridDim.x * blockDim.x;
  const unsigned start = static_cast<unsigned>(first) + blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = start; i < n; i += stride) {
    y[i] = a * x[i] + y[i];
  }
}

void saxpy_range(int blocks, int threads, std::int64_t first, std::int64_t n, float a, const float* d_x,
                 float* d_y) {
  saxpy_kernel<<<blocks, threads>>>(first, n, a, d_x, d_y);
}
