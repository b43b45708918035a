// wrong: the division rounds down: the tail has no block
// verdict: wrong
// message: T = float
// message: poison
#include "01_one_kernel_two_types.h"

template <class T>
__global__ void blend_kernel(const T* d_a, const T* d_b, T* d_out, int n, float t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_out[i] = T((1.0f - t) * float(d_a[i]) + t * float(d_b[i]));
}

template <class T>
cudaError_t blend(const T* d_a, const T* d_b, T* d_out, int n, float t) {
  if (n < 256) return cudaSuccess;
  blend_kernel<<<n / 256, 256>>>(d_a, d_b, d_out, n, t);
  return cudaGetLastError();
}

template cudaError_t blend(const float* d_a, const float* d_b, float* d_out, int n, float t);
template cudaError_t blend(const __half* d_a, const __half* d_b, __half* d_out, int n, float t);
