// wrong: nothing is kept above 0
// verdict: wrong
// code: values
// message: where x is

#include <cuda_runtime.h>

#include <cmath>

__host__ __device__ float clamp01(float x) {
  return x > 1.0f ? 1.0f : x;
}

__global__ void clamp_kernel(int n, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = clamp01(x[i]);
}

void clamp_on_device(int n, const float* d_x, float* d_y) {
  clamp_kernel<<<(n + 255) / 256, 256>>>(n, d_x, d_y);
}

void clamp_on_host(int n, const float* h_x, float* h_y) {
  for (int i = 0; i < n; ++i) h_y[i] = clamp01(h_x[i]);
}
