// right: two sets of buffers, two streams; nothing is freed before both have ended
#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

#include <algorithm>

cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch) {
  if (n == 0) return cudaSuccess;
  const size_t room = batch * sizeof(float);
  cudaStream_t stream[2];
  float *d_a[2], *d_b[2], *d_c[2];
  for (int s = 0; s < 2; ++s) {
    cudaStreamCreate(&stream[s]);
    cudaMalloc(&d_a[s], room);
    cudaMalloc(&d_b[s], room);
    cudaMalloc(&d_c[s], room);
  }
  int s = 0;
  for (int first = 0; first < n; first += batch, s = 1 - s) {
    const int count = std::min(batch, n - first);
    const size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(d_a[s], a + first, bytes, cudaMemcpyHostToDevice, stream[s]);
    cudaMemcpyAsync(d_b[s], b + first, bytes, cudaMemcpyHostToDevice, stream[s]);
    add<<<(count - 1) / 256 + 1, 256, 0, stream[s]>>>(d_a[s], d_b[s], d_c[s], count);
    cudaMemcpyAsync(c + first, d_c[s], bytes, cudaMemcpyDeviceToHost, stream[s]);
  }
  cudaError_t status = cudaGetLastError();
  const cudaError_t waited = cudaDeviceSynchronize();
  for (int k = 0; k < 2; ++k) {
    cudaFree(d_a[k]);
    cudaFree(d_b[k]);
    cudaFree(d_c[k]);
    cudaStreamDestroy(stream[k]);
  }
  return status != cudaSuccess ? status : waited;
}
