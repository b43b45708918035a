// wrong: moves the allocation of d_c out of the loop, and forgets the two others
// verdict: too slow
// code: bound.batches
// message: 0.6 x the starter
// seen: simulated
#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

#include <algorithm>

cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch) {
  if (n == 0) return cudaSuccess;
  float* d_c = nullptr;
  cudaError_t status = cudaMalloc(&d_c, batch * sizeof(float));
  for (int first = 0; first < n && status == cudaSuccess; first += batch) {
    const int count = std::min(batch, n - first);
    const size_t bytes = count * sizeof(float);
    float *d_a = nullptr, *d_b = nullptr;
    status = cudaMalloc(&d_a, bytes);
    if (status == cudaSuccess) status = cudaMalloc(&d_b, bytes);
    if (status == cudaSuccess) status = cudaMemcpy(d_a, a + first, bytes, cudaMemcpyHostToDevice);
    if (status == cudaSuccess) status = cudaMemcpy(d_b, b + first, bytes, cudaMemcpyHostToDevice);
    if (status == cudaSuccess) {
      cudaGetLastError();  // an error from before is not this launch's
      add<<<(count - 1) / 256 + 1, 256>>>(d_a, d_b, d_c, count);
      status = cudaGetLastError();
    }
    if (status == cudaSuccess) status = cudaMemcpy(c + first, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_b);
    cudaFree(d_a);
  }
  cudaFree(d_c);
  return status;
}
