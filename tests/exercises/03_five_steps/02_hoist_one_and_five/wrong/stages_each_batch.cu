// wrong: allocates page-locked memory for each batch, to make its copies faster
// verdict: too slow
// code: bound.batches
// message: 0.6 x the starter
#include <cuda_runtime.h>

#include <cstring>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

// c[i] = a[i] + b[i] for n floats in host memory, in batches of `batch` floats; the last batch may be
// shorter. The arrays have room for whole batches. What lies behind the first n floats of c belongs to the
// caller: leave it as it is. Each call brings new numbers. Returns cudaSuccess, or the error of the first
// step that failed.
cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch) {
  if (n == 0) return cudaSuccess;
  const size_t room = batch * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  cudaError_t status = cudaMalloc(&d_a, room);
  if (status == cudaSuccess) status = cudaMalloc(&d_b, room);
  if (status == cudaSuccess) status = cudaMalloc(&d_c, room);
  for (int first = 0; first < n && status == cudaSuccess; first += batch) {
    const int count = n - first < batch ? n - first : batch;
    const size_t bytes = count * sizeof(float);
    float* stage = nullptr;
    cudaMallocHost(&stage, 2 * bytes);
    std::memcpy(stage, a + first, bytes);
    std::memcpy(stage + count, b + first, bytes);
    status = cudaMemcpy(d_a, stage, bytes, cudaMemcpyHostToDevice);
    if (status == cudaSuccess) status = cudaMemcpy(d_b, stage + count, bytes, cudaMemcpyHostToDevice);
    if (status == cudaSuccess) {
      cudaGetLastError();  // an error from before is not this launch's
      add<<<(count - 1) / 256 + 1, 256>>>(d_a, d_b, d_c, count);
      status = cudaGetLastError();
    }
    if (status == cudaSuccess) status = cudaMemcpy(c + first, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFreeHost(stage);
  }
  cudaFree(d_c);
  cudaFree(d_b);
  cudaFree(d_a);
  return status;
}
