// wrong: waits in prepare_device
// verdict: wrong
// code: waits
// message: prepare_device waits

#include <cuda_runtime.h>

__global__ void center(const float* d_x, float* d_y, int n, float mean) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = d_x[i] - mean;
}

__global__ void scale_by(const float* d_x, float* d_y, int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = d_x[i] * scale;
}

__global__ void clip(const float* d_x, float* d_y, int n, float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = fminf(fmaxf(d_x[i], -limit), limit);
}

__global__ void fused(const float* x, float* y, int n, float mean, float scale, float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fminf(fmaxf((x[i] - mean) * scale, -limit), limit);
}
cudaError_t prepare_device(const float* d_x, float* d_y, int n, float mean, float scale, float limit) {
  if (n == 0) return cudaSuccess;
  fused<<<(n - 1) / 256 + 1, 256>>>(d_x, d_y, n, mean, scale, limit);
  return cudaDeviceSynchronize();
}
// Takes n floats to the device, launches something there, takes n floats back.
template <class Launch>
cudaError_t round_trip(const float* x, float* y, int n, Launch launch) {
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr;
  cudaError_t status = cudaMalloc(&d_x, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&d_y, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = launch(d_x, d_y);
  if (status == cudaSuccess) status = cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_y);
  cudaFree(d_x);
  return status;
}

cudaError_t prepare(const float* x, float* y, int n, float mean, float scale, float limit) {
  if (n == 0) return cudaSuccess;
  return round_trip(
      x, y, n, [&](const float* d_x, float* d_y) { return prepare_device(d_x, d_y, n, mean, scale, limit); });
}
