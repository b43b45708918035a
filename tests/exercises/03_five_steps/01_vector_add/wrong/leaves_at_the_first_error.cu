// wrong: returns at once when a step fails, and leaves what was allocated before
// verdict: wrong
// code: missing_free
// message: the second allocation is refused
// message: 4 allocations, 3 frees
// message: never freed
#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

#define TRY(call)                                   \
  do {                                              \
    if (cudaError_t status = (call)) return status; \
  } while (0)

cudaError_t vector_add(const float* a, const float* b, float* c, int n, int block) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c;
  TRY(cudaMalloc(&d_a, bytes));
  TRY(cudaMalloc(&d_b, bytes));
  TRY(cudaMalloc(&d_c, bytes));
  TRY(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
  cudaGetLastError();  // an error from before is not this launch's
  add<<<(n - 1) / block + 1, block>>>(d_a, d_b, d_c, n);
  TRY(cudaGetLastError());
  TRY(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
  TRY(cudaFree(d_a));
  TRY(cudaFree(d_b));
  TRY(cudaFree(d_c));
  return cudaSuccess;
}
