// wrong: leaves the work undone when an allocation was refused, and tells nobody
// verdict: wrong
// code: error_swallowed
// message: allocation was refused, and vector_add returned cudaSuccess
#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n, int block) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  cudaError_t status = cudaSuccess;
  if (d_a != nullptr && d_b != nullptr && d_c != nullptr) {
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    add<<<(n - 1) / block + 1, block>>>(d_a, d_b, d_c, n);
    status = cudaGetLastError();
    if (status == cudaSuccess) status = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  }
  cudaFree(d_c);
  cudaFree(d_b);
  cudaFree(d_a);
  return status;
}
