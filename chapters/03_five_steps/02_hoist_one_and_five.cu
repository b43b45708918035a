// 3.2  Hoist one and five
//
// add_batches below is right, and slow: each batch goes through all five steps, and two of them need not be
// inside the loop. Find them, and move them out.
//
// When it works, 64 batches take less than 0.6 of the time they take now, and the sums are the same.
#include <cuda_runtime.h>

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

// c[i] = a[i] + b[i] for n floats in host memory, in batches of `batch` floats; the last batch may be
// shorter. The arrays have room for whole batches. What lies behind the first n floats of c belongs to the
// caller: leave it as it is. Each call brings new numbers, and n may be more than the device holds: there is
// room for a few batches only. Returns cudaSuccess, or the error of the first step that failed; the next call
// is none the worse for it.
cudaError_t add_batches(const float* a, const float* b, float* c, int n, int batch) {
  // TODO: add_batches. Take steps one and five out of the loop; mind the last batch.
  cudaError_t status = cudaSuccess;
  for (int first = 0; first < n && status == cudaSuccess; first += batch) {
    const int count = n - first < batch ? n - first : batch;
    const size_t bytes = count * sizeof(float);
    float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
    status = cudaMalloc(&d_a, bytes);
    if (status == cudaSuccess) status = cudaMalloc(&d_b, bytes);
    if (status == cudaSuccess) status = cudaMalloc(&d_c, bytes);
    if (status == cudaSuccess) status = cudaMemcpy(d_a, a + first, bytes, cudaMemcpyHostToDevice);
    if (status == cudaSuccess) status = cudaMemcpy(d_b, b + first, bytes, cudaMemcpyHostToDevice);
    if (status == cudaSuccess) {
      cudaGetLastError();  // an error from before is not this launch's
      add<<<(count - 1) / 256 + 1, 256>>>(d_a, d_b, d_c, count);
      status = cudaGetLastError();
    }
    if (status == cudaSuccess) status = cudaMemcpy(c + first, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_c);
    cudaFree(d_b);
    cudaFree(d_a);
  }
  return status;
}
