// 12.2, given: a kernel in a module of its own.
#include <cuda_runtime.h>

__global__ void smooth_kernel(const float* d_x, float* d_y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = d_x[i > 0 ? i - 1 : 0], right = d_x[i + 1 < n ? i + 1 : n - 1];
  d_y[i] = 0.25f * left + 0.5f * d_x[i] + 0.25f * right;
}

// d_y = d_x, smoothed; n from 1 up. Does not wait.
cudaError_t launch_smooth(const float* d_x, float* d_y, int n) {
  smooth_kernel<<<(n + 255) / 256, 256>>>(d_x, d_y, n);
  return cudaGetLastError();
}
