#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

// d_out[i] = (1 - t) * d_a[i] + t * d_b[i] for i from 0 to n - 1; n from 0 up, t from 0 to 1, T is float or
// __half. Computes in float and rounds once, to T. Does not wait for the device. Returns the first error.
template <class T>
cudaError_t blend(const T* d_a, const T* d_b, T* d_out, int n, float t);

extern template cudaError_t blend<float>(const float*, const float*, float*, int, float);
extern template cudaError_t blend<__half>(const __half*, const __half*, __half*, int, float);
