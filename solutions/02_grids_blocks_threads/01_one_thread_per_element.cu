// 2.1  One thread per element
//
// y[i] = a * x[i] + y[i] for n elements, any n from 0 up.
// x and y lie in device memory already. Every element gets a thread of its own.

#include <cuda_runtime.h>

#include <cstddef>

// How many groups of `group` it takes to hold n things. The usual (n + group - 1) / group overflows when n is
// close to the largest int; this form never leaves the range.
int ceil_div(int n, int group) {
  return n / group + (n % group != 0);
}

// How many bytes does saxpy move? It reads x, reads y and writes y: three floats an element.
// The first factor is a std::size_t, so the whole product is.
std::size_t bytes_moved(int n) {
  return std::size_t{3} * sizeof(float) * n;
}

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];  // the last block may have threads without an element
}

void saxpy(int n, float a, const float* d_x, float* d_y) {
  if (n == 0) return;  // a grid of 0 blocks is an error, not an empty launch
  constexpr int block = 256;
  saxpy_kernel<<<ceil_div(n, block), block>>>(n, a, d_x, d_y);
}
