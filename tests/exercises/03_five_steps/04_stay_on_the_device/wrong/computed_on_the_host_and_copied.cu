// wrong: does the arithmetic on the host, and sends it there and back for show
// verdict: wrong
// code: no_kernel
// message: No kernel ran on the device
#include <cuda_runtime.h>

#include <cmath>

__global__ void center_scale_clip(const float* d_x, float* d_y, int n, float mean, float scale, float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = fminf(fmaxf((d_x[i] - mean) * scale, -limit), limit);
}

// From device memory to device memory: d_y = clip((d_x - mean) * scale). One kernel; does not wait for it.
// Returns the launch's error.
cudaError_t prepare_device(const float* d_x, float* d_y, int n, float mean, float scale, float limit) {
  if (n == 0) return cudaSuccess;
  center_scale_clip<<<(n - 1) / 256 + 1, 256>>>(d_x, d_y, n, mean, scale, limit);
  return cudaGetLastError();
}

cudaError_t prepare(const float* x, float* y, int n, float mean, float scale, float limit) {
  for (int i = 0; i < n; ++i) y[i] = std::fmin(std::fmax((x[i] - mean) * scale, -limit), limit);
  if (n == 0) return cudaSuccess;
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, y, n * sizeof(float), cudaMemcpyHostToDevice);
  const cudaError_t status = cudaMemcpy(y, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d);
  return status;
}
