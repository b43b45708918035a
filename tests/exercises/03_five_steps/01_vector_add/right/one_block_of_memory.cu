// right: one allocation holds all three arrays; the sum is written over the first input; a grid-stride loop
#include <cuda_runtime.h>

__global__ void add_to(float* d_a, const float* d_b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) d_a[i] += d_b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n, int block) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float* d = nullptr;
  cudaError_t status = cudaMalloc(&d, 2 * bytes);
  if (status != cudaSuccess) return status;
  status = cudaMemcpy(d, a, bytes, cudaMemcpyDefault);
  if (status == cudaSuccess) status = cudaMemcpy(d + n, b, bytes, cudaMemcpyDefault);
  if (status == cudaSuccess) {
    cudaGetLastError();  // an error from before is not this launch's
    add_to<<<528, block>>>(d, d + n, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  if (status == cudaSuccess) status = cudaMemcpy(c, d, bytes, cudaMemcpyDefault);
  cudaFree(d);
  return status;
}
