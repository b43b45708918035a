// right: everything asynchronous in one stream, memory from the stream's pool, one wait at the end
#include <cuda_runtime.h>

__global__ void center_scale_clip(const float* d_x, float* d_y, int n, float mean, float scale, float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = fmaxf(-limit, fminf(limit, (d_x[i] - mean) * scale));
}

static cudaError_t launch(const float* d_x, float* d_y, int n, float mean, float scale, float limit,
                          cudaStream_t stream) {
  if (n == 0) return cudaSuccess;
  center_scale_clip<<<(n - 1) / 128 + 1, 128, 0, stream>>>(d_x, d_y, n, mean, scale, limit);
  return cudaGetLastError();
}

cudaError_t prepare_device(const float* d_x, float* d_y, int n, float mean, float scale, float limit) {
  return launch(d_x, d_y, n, mean, scale, limit, 0);
}

cudaError_t prepare(const float* x, float* y, int n, float mean, float scale, float limit) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  cudaStream_t stream;
  cudaError_t status = cudaStreamCreate(&stream);
  if (status != cudaSuccess) return status;
  float* d = nullptr;
  status = cudaMallocAsync(&d, 2 * bytes, stream);
  if (status == cudaSuccess) status = cudaMemcpyAsync(d, x, bytes, cudaMemcpyHostToDevice, stream);
  if (status == cudaSuccess) status = launch(d, d + n, n, mean, scale, limit, stream);
  if (status == cudaSuccess) status = cudaMemcpyAsync(y, d + n, bytes, cudaMemcpyDeviceToHost, stream);
  if (d != nullptr) cudaFreeAsync(d, stream);
  const cudaError_t waited = cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  return status != cudaSuccess ? status : waited;
}
