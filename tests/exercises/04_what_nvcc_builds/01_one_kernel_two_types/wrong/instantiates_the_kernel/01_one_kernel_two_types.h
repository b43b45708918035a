#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

// d_out[i] = (1 - t) * d_a[i] + t * d_b[i] for i from 0 to n - 1; n from 0 up, t from 0 to 1, T is float or
// __half. Computes in float and rounds once, to T. Does not wait for the device. Returns the first error.
template <class T>
__global__ void blend_kernel(const T* d_a, const T* d_b, T* d_out, int n, float t);

template <class T>
cudaError_t blend(const T* d_a, const T* d_b, T* d_out, int n, float t) {
  if (n == 0) return cudaSuccess;
  void* arguments[] = {&d_a, &d_b, &d_out, &n, &t};
  const auto kernel = reinterpret_cast<const void*>(&blend_kernel<T>);
  return cudaLaunchKernel(kernel, dim3((n - 1) / 256 + 1), dim3(256), arguments, 0, nullptr);
}
