// wrong: instantiates the kernel for another file: since CUDA 13 its name on the host stays in its own file
// verdict: did not compile
// code: link.undefined
// message: blend_kernel<
// message: no file defines it
#include "01_one_kernel_two_types.h"

template <class T>
__global__ void blend_kernel(const T* d_a, const T* d_b, T* d_out, int n, float t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_out[i] = T((1.0f - t) * float(d_a[i]) + t * float(d_b[i]));
}

template __global__ void blend_kernel(const float*, const float*, float*, int, float);
template __global__ void blend_kernel(const __half*, const __half*, __half*, int, float);
