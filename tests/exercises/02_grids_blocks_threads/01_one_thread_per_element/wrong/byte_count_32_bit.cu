// wrong: the bytes are multiplied in int before they become a std::size_t
// verdict: wrong
// code: bytes_32_bit
// message: 32 bits

#include <cuda_runtime.h>

#include <cstddef>

int ceil_div(int n, int group) {
  return n / group + (n % group != 0);
}

std::size_t bytes_moved(int n) {
  const unsigned bytes = 3u * 4u * n;
  return bytes;
}

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(int n, float a, const float* d_x, float* d_y) {
  if (n == 0) return;
  constexpr int block = 256;
  saxpy_kernel<<<ceil_div(n, block), block>>>(n, a, d_x, d_y);
}
