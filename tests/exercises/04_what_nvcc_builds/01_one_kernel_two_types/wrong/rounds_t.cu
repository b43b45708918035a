// wrong: t becomes a half first
// verdict: wrong
// code: rounds_in_between
// message: the nearest half is
#include "01_one_kernel_two_types.h"

template <class T>
__global__ void blend_kernel(const T* d_a, const T* d_b, T* d_out, int n, float t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_out[i] = T((1.0f - float(T(t))) * float(d_a[i]) + float(T(t)) * float(d_b[i]));
}

template <class T>
cudaError_t blend(const T* d_a, const T* d_b, T* d_out, int n, float t) {
  if (n == 0) return cudaSuccess;
  blend_kernel<<<(n - 1) / 256 + 1, 256>>>(d_a, d_b, d_out, n, t);
  return cudaGetLastError();
}

template cudaError_t blend(const float* d_a, const float* d_b, float* d_out, int n, float t);
template cudaError_t blend(const __half* d_a, const __half* d_b, __half* d_out, int n, float t);
