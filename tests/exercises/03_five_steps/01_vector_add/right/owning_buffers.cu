// right: a destructor does step five, whichever way the function ends
#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

struct Buffer {
  float* data = nullptr;
  ~Buffer() { cudaFree(data); }
};

#define TRY(call)                                   \
  do {                                              \
    if (cudaError_t status = (call)) return status; \
  } while (0)

cudaError_t vector_add(const float* a, const float* b, float* c, int n, int block) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  Buffer d_a, d_b, d_c;
  TRY(cudaMalloc(&d_a.data, bytes));
  TRY(cudaMalloc(&d_b.data, bytes));
  TRY(cudaMalloc(&d_c.data, bytes));
  TRY(cudaMemcpy(d_a.data, a, bytes, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(d_b.data, b, bytes, cudaMemcpyHostToDevice));
  cudaGetLastError();  // an error from before is not this launch's
  add<<<(n - 1) / block + 1, block>>>(d_a.data, d_b.data, d_c.data, n);
  TRY(cudaGetLastError());
  TRY(cudaMemcpy(c, d_c.data, bytes, cudaMemcpyDeviceToHost));
  return cudaSuccess;
}
