// wrong: blocks of two warps, on a stream that does not wait for the default stream: as slow as without it
// verdict: too slow
// code: bound.roof
// message: how many threads

#include <cuda_runtime.h>

#include <cstddef>

int ceil_div(int n, int group) {
  return n / group + (n % group != 0);
}

std::size_t bytes_moved(int n) {
  return std::size_t{3} * sizeof(float) * n;
}

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(int n, float a, const float* d_x, float* d_y) {
  if (n == 0) return;
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  saxpy_kernel<<<ceil_div(n, 32), 32, 0, stream>>>(n, a, d_x, d_y);
}
