// wrong: does not look at what the first copy returns
// verdict: wrong
// code: error_swallowed
// message: the first copy is refused

#include <cuda_runtime.h>
__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n, int block) {
  if (n == 0) return cudaSuccess;
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  const size_t bytes = n * sizeof(float);
  cudaError_t s = cudaMalloc(&d_a, bytes);
  if (!s) s = cudaMalloc(&d_b, bytes);
  if (!s) s = cudaMalloc(&d_c, bytes);
  if (!s) cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  if (!s) s = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
  if (!s) {
    cudaGetLastError();  // an error from before is not this launch's
    add<<<(n - 1) / block + 1, block>>>(d_a, d_b, d_c, n);
    s = cudaGetLastError();
  }
  if (!s) s = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return s;
}
