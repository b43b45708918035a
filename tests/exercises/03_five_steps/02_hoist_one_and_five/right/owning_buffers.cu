// right: one buffer for all three arrays, freed by its destructor
#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

#include <algorithm>

struct Buffer {
  float* data = nullptr;
  ~Buffer() { cudaFree(data); }
};

#define TRY(call)                                   \
  do {                                              \
    if (cudaError_t status = (call)) return status; \
  } while (0)

cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch) {
  if (n == 0) return cudaSuccess;
  const int longest = std::min(n, batch);
  Buffer all;
  TRY(cudaMalloc(&all.data, 3 * longest * sizeof(float)));
  float *d_a = all.data, *d_b = d_a + longest, *d_c = d_b + longest;
  for (int first = 0; first < n; first += batch) {
    const int count = std::min(batch, n - first);
    const size_t bytes = count * sizeof(float);
    TRY(cudaMemcpy(d_a, a + first, bytes, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(d_b, b + first, bytes, cudaMemcpyHostToDevice));
    cudaGetLastError();  // an error from before is not this launch's
    add<<<(count + 1023) / 1024, 1024>>>(d_a, d_b, d_c, count);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(c + first, d_c, bytes, cudaMemcpyDeviceToHost));
  }
  return cudaSuccess;
}
