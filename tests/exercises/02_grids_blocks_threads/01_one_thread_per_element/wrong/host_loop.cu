// wrong: computes on the host; no kernel ever runs
// verdict: wrong
// code: no_launch
// message: no kernel was launched

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

int ceil_div(int n, int group) {
  return n / group + (n % group != 0);
}

std::size_t bytes_moved(int n) {
  return std::size_t{3} * sizeof(float) * n;
}

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(int n, float a, const float* d_x, float* d_y) {
  if (n == 0) return;
  std::vector<float> x(n), y(n);
  cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
  cudaMemcpy(d_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}
