// right: fewer threads than elements, each takes several; the result is asked for, not the shape of the grid

#include <cuda_runtime.h>

#include <cstddef>

int ceil_div(int n, int group) {
  return n / group + (n % group != 0);
}

std::size_t bytes_moved(int n) {
  return std::size_t{3} * sizeof(float) * n;
}

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) y[i] = a * x[i] + y[i];
}

void saxpy(int n, float a, const float* d_x, float* d_y) {
  if (n == 0) return;
  constexpr int block = 256;
  const int blocks = ceil_div(n, block) > 1056 ? 1056 : ceil_div(n, block);
  saxpy_kernel<<<blocks, block>>>(n, a, d_x, d_y);
}
