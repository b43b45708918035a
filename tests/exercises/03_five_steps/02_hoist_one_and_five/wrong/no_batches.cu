// wrong: allocates the whole arrays, and launches once
// verdict: wrong
// code: no_batches
// message: launches in two calls

#include <cuda_runtime.h>
__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}
cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch) {
  float *d_a, *d_b, *d_c;
  const size_t B = n * sizeof(float);
  cudaError_t s = cudaSuccess;
  if (!n) return s;
  s = cudaMalloc(&d_a, B);
  if (s) return s;
  s = cudaMalloc(&d_b, B);
  if (s) {
    cudaFree(d_a);
    return s;
  }
  s = cudaMalloc(&d_c, B);
  if (s) {
    cudaFree(d_a);
    cudaFree(d_b);
    return s;
  }
  s = cudaMemcpy(d_a, a, B, cudaMemcpyHostToDevice);
  if (!s) s = cudaMemcpy(d_b, b, B, cudaMemcpyHostToDevice);
  if (!s) {
    add<<<(n - 1) / 256 + 1, 256>>>(d_a, d_b, d_c, n);
    s = cudaGetLastError();
  }
  if (!s) s = cudaMemcpy(c, d_c, B, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return s;
}
