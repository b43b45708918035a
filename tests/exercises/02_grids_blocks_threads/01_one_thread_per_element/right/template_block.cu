// right: the block size is a template argument, the arithmetic one fused multiply-add

#include <cuda_runtime.h>

#include <cstddef>

int ceil_div(int n, int group) {
  return n / group + (n % group != 0);
}

std::size_t bytes_moved(int n) {
  return std::size_t{3} * sizeof(float) * n;
}

template <int Threads>
__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * Threads + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}

void saxpy(int n, float a, const float* d_x, float* d_y) {
  if (n == 0) return;
  saxpy_kernel<128><<<ceil_div(n, 128), 128>>>(n, a, d_x, d_y);
}
