// wrong: has both inputs on the device whole, and only the sums in batches
// verdict: wrong
// code: whole_arrays
// message: How much of each array is on the device at one time

#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch) {
  if (n == 0) return cudaSuccess;
  const size_t room = batch * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  const size_t whole = n * sizeof(float);
  cudaError_t status = cudaMalloc(&d_a, whole);
  if (status == cudaSuccess) status = cudaMalloc(&d_b, whole);
  if (status == cudaSuccess) status = cudaMalloc(&d_c, room);
  if (status == cudaSuccess) status = cudaMemcpy(d_a, a, whole, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(d_b, b, whole, cudaMemcpyHostToDevice);
  for (int first = 0; first < n && status == cudaSuccess; first += batch) {
    const int count = n - first < batch ? n - first : batch;
    const size_t bytes = count * sizeof(float);
    if (status == cudaSuccess) {
      cudaGetLastError();  // an error from before is not this launch's
      add<<<(count - 1) / 256 + 1, 256>>>(d_a + first, d_b + first, d_c, count);
      status = cudaGetLastError();
    }
    if (status == cudaSuccess) status = cudaMemcpy(c + first, d_c, bytes, cudaMemcpyDeviceToHost);
  }
  cudaFree(d_c);
  cudaFree(d_b);
  cudaFree(d_a);
  return status;
}
