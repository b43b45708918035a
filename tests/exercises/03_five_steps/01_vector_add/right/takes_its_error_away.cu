// right: takes its own error away where it returns it, not the error of others before the launch

#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

// a, b and c are arrays of n floats in host memory; c = a + b. `block` is the number of threads of a block:
// the caller chooses it, and may choose one that no device accepts. Returns cudaSuccess, or the error of the
// first step that failed; the next call is none the worse for it.
cudaError_t vector_add(const float* a, const float* b, float* c, int n, int block) {
  if (n == 0) return cudaSuccess;  // a grid of no blocks is not a legal launch
  const size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;

  cudaError_t status = cudaMalloc(&d_a, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&d_b, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&d_c, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    add<<<(n - 1) / block + 1, block>>>(d_a, d_b, d_c, n);
    status = cudaGetLastError();  // the launch returns nothing: its error waits here
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);

  if (status != cudaSuccess) cudaGetLastError();  // told here, and nowhere else
  cudaFree(d_c);
  cudaFree(d_b);
  cudaFree(d_a);
  return status;
}
