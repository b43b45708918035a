// wrong: does not look at what the copies return
// verdict: wrong
// code: error_swallowed
// message: returned the error of something else

#include <cuda_runtime.h>
__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}
cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch) {
  cudaError_t s = cudaSuccess;
  const size_t room = batch * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  s = cudaMalloc(&d_a, room);
  if (!s) s = cudaMalloc(&d_b, room);
  if (!s) s = cudaMalloc(&d_c, room);
  for (int first = 0; first < n && !s; first += batch) {
    const int count = n - first < batch ? n - first : batch;
    const size_t bytes = count * sizeof(float);
    if (!s) cudaMemcpy(d_a, a + first, bytes, cudaMemcpyHostToDevice);
    if (!s) cudaMemcpy(d_b, b + first, bytes, cudaMemcpyHostToDevice);
    if (!s) {
      cudaGetLastError();  // an error from before is not this launch's
      add<<<(count - 1) / 256 + 1, 256>>>(d_a, d_b, d_c, count);
      s = cudaGetLastError();
    }
    if (!s) cudaMemcpy(c + first, d_c, bytes, cudaMemcpyDeviceToHost);
  }
  cudaFree(d_c);
  cudaFree(d_b);
  cudaFree(d_a);
  return s;
}
