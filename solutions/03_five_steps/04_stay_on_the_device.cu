// 3.4  Stay on the device
//
// One kernel reads each float once, does all three things to it in a register, and writes it once. The order
// of the three is kept: (x - mean) is exact where x is near the mean, x * scale - mean * scale is not.
#include <cuda_runtime.h>

__global__ void center_scale_clip(const float* d_x, float* d_y, int n, float mean, float scale, float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = fminf(fmaxf((d_x[i] - mean) * scale, -limit), limit);
}

// From device memory to device memory: d_y = clip((d_x - mean) * scale). One kernel; does not wait for it.
// Returns the launch's own error, whatever failed before. The arrays hold numbers, never NaN.
cudaError_t prepare_device(const float* d_x, float* d_y, int n, float mean, float scale, float limit) {
  if (n == 0) return cudaSuccess;
  cudaGetLastError();  // an error from before is not this launch's
  center_scale_clip<<<(n - 1) / 256 + 1, 256>>>(d_x, d_y, n, mean, scale, limit);
  return cudaGetLastError();
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

// The same from host memory to host memory, for every n from 0 up.
cudaError_t prepare(const float* x, float* y, int n, float mean, float scale, float limit) {
  if (n == 0) return cudaSuccess;
  return round_trip(
      x, y, n, [&](const float* d_x, float* d_y) { return prepare_device(d_x, d_y, n, mean, scale, limit); });
}
