// right: cudaMallocAsync and cudaFreeAsync, everything in order of one stream
#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n, int block) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  cudaStream_t stream = nullptr;
  cudaError_t status = cudaStreamCreate(&stream);
  if (status != cudaSuccess) return status;
  status = cudaMallocAsync(&d_a, bytes, stream);
  if (status == cudaSuccess) status = cudaMallocAsync(&d_b, bytes, stream);
  if (status == cudaSuccess) status = cudaMallocAsync(&d_c, bytes, stream);
  if (status == cudaSuccess) status = cudaMemcpyAsync(d_a, a, bytes, cudaMemcpyHostToDevice, stream);
  if (status == cudaSuccess) status = cudaMemcpyAsync(d_b, b, bytes, cudaMemcpyHostToDevice, stream);
  if (status == cudaSuccess) {
    cudaGetLastError();  // an error from before is not this launch's
    add<<<(n - 1) / block + 1, block, 0, stream>>>(d_a, d_b, d_c, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpyAsync(c, d_c, bytes, cudaMemcpyDeviceToHost, stream);
  for (float* d : {d_a, d_b, d_c}) {
    if (d != nullptr) cudaFreeAsync(d, stream);
  }
  const cudaError_t waited = cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  return status != cudaSuccess ? status : waited;
}
