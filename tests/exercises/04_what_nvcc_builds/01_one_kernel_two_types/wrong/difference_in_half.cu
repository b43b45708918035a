// wrong: b - a in half: two large halves of different sign have no difference that is one
// verdict: wrong
// code: overflow
// message: out[
// message: The largest half is 65504
#include "01_one_kernel_two_types.h"

template <class T>
__global__ void blend_kernel(const T* d_a, const T* d_b, T* d_out, int n, float t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_out[i] = T(float(d_a[i]) + t * float(d_b[i] - d_a[i]));
}

template <class T>
cudaError_t blend(const T* d_a, const T* d_b, T* d_out, int n, float t) {
  if (n == 0) return cudaSuccess;
  blend_kernel<<<(n - 1) / 256 + 1, 256>>>(d_a, d_b, d_out, n, t);
  return cudaGetLastError();
}

template cudaError_t blend(const float* d_a, const float* d_b, float* d_out, int n, float t);
template cudaError_t blend(const __half* d_a, const __half* d_b, __half* d_out, int n, float t);
