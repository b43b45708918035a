// wrong: page-locks the host's arrays and lets the kernel work on them across the bus
// verdict: wrong
// code: not_copied
// message: 0 bytes were copied to the device
// message: how often did each cross the bus
#include <cuda_runtime.h>

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
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float *h_x = nullptr, *h_y = nullptr;
  cudaMallocHost(&h_x, bytes);
  cudaMallocHost(&h_y, bytes);
  for (int i = 0; i < n; ++i) h_x[i] = x[i];
  prepare_device(h_x, h_y, n, mean, scale, limit);
  const cudaError_t status = cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) y[i] = h_y[i];
  cudaFreeHost(h_x);
  cudaFreeHost(h_y);
  return status;
}
