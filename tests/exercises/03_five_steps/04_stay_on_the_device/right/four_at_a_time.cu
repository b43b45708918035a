// right: float4 for the whole fours, single floats for the rest
#include <cuda_runtime.h>

__device__ float one(float x, float mean, float scale, float limit) {
  return fminf(fmaxf((x - mean) * scale, -limit), limit);
}

__global__ void fours(const float4* d_x, float4* d_y, int n, float mean, float scale, float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = d_x[i];
  d_y[i] = make_float4(one(v.x, mean, scale, limit), one(v.y, mean, scale, limit),
                       one(v.z, mean, scale, limit), one(v.w, mean, scale, limit));
}

__global__ void singles(const float* d_x, float* d_y, int n, float mean, float scale, float limit) {
  const int i = threadIdx.x;
  if (i < n) d_y[i] = one(d_x[i], mean, scale, limit);
}

cudaError_t prepare_device(const float* d_x, float* d_y, int n, float mean, float scale, float limit) {
  const int whole = n / 4, rest = n % 4;
  if (whole > 0) {
    fours<<<(whole - 1) / 128 + 1, 128>>>(reinterpret_cast<const float4*>(d_x),
                                          reinterpret_cast<float4*>(d_y), whole, mean, scale, limit);
  }
  if (rest > 0) singles<<<1, 32>>>(d_x + 4 * whole, d_y + 4 * whole, rest, mean, scale, limit);
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
