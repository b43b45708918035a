// wrong: copies 16 KiB at a time
// verdict: too slow
// code: bound.total
// message: the sum of the steps
#include <cuda_runtime.h>

// Copies in pieces.
static cudaError_t copy(float* to, const float* from, size_t bytes, cudaMemcpyKind kind) {
  const size_t piece_size = 16384;
  cudaError_t status = cudaSuccess;
  for (size_t done = 0; done < bytes && status == cudaSuccess; done += piece_size) {
    const size_t piece = bytes - done < piece_size ? bytes - done : piece_size;
    status = cudaMemcpy(to + done / sizeof(float), from + done / sizeof(float), piece, kind);
  }
  return status;
}

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

// a, b and c are arrays of n floats in host memory; c = a + b. `block` is the number of threads of a block:
// the caller chooses it, and may choose one that no device accepts. Returns cudaSuccess, or the error of the
// first step that failed.
cudaError_t vector_add(const float* a, const float* b, float* c, int n, int block) {
  if (n == 0) return cudaSuccess;  // a grid of no blocks is not a legal launch
  const size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;

  cudaError_t status = cudaMalloc(&d_a, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&d_b, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&d_c, bytes);
  if (status == cudaSuccess) status = copy(d_a, a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = copy(d_b, b, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    cudaGetLastError();  // an error from before is not this launch's
    add<<<(n - 1) / block + 1, block>>>(d_a, d_b, d_c, n);
    status = cudaGetLastError();  // the launch returns nothing: its error waits here
  }
  if (status == cudaSuccess) status = copy(c, d_c, bytes, cudaMemcpyDeviceToHost);

  cudaFree(d_c);
  cudaFree(d_b);
  cudaFree(d_a);
  return status;
}
