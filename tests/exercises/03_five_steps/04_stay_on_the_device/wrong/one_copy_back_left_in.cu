// wrong: copies the result home before the clipping, and in again
// verdict: wrong
// code: extra_copy
// message: 8000 bytes were copied to the device and 8000 from it
#include <cuda_runtime.h>

__global__ void center(float* d_y, const float* d_x, int n, float mean) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = d_x[i] - mean;
}

__global__ void scale_by(float* d_y, int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] *= scale;
}

__global__ void clip(float* d_y, int n, float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = fminf(fmaxf(d_y[i], -limit), limit);
}

cudaError_t prepare_device(const float* d_x, float* d_y, int n, float mean, float scale, float limit) {
  if (n == 0) return cudaSuccess;
  const int grid = (n - 1) / 256 + 1;
  center<<<grid, 256>>>(d_y, d_x, n, mean);
  scale_by<<<grid, 256>>>(d_y, n, scale);
  clip<<<grid, 256>>>(d_y, n, limit);
  return cudaGetLastError();
}

cudaError_t prepare(const float* x, float* y, int n, float mean, float scale, float limit) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  const int grid = (n - 1) / 256 + 1;
  float *d_x = nullptr, *d_y = nullptr;
  cudaMalloc(&d_x, bytes);
  cudaMalloc(&d_y, bytes);
  cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  center<<<grid, 256>>>(d_y, d_x, n, mean);
  scale_by<<<grid, 256>>>(d_y, n, scale);
  cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  clip<<<grid, 256>>>(d_y, n, limit);
  const cudaError_t status = cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_y);
  cudaFree(d_x);
  return status;
}
