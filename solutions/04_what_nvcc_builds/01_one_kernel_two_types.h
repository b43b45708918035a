// 4.1  One kernel, two types, two files: the header
//
// A declaration is all that g++ needs to compile a call. It promises that somebody else has the body.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

// d_out[i] = (1 - t) * d_a[i] + t * d_b[i] for i from 0 to n - 1; n from 0 up, t from 0 to 1, T is float or
// __half. Computes in float and rounds once, to T. Does not wait for the device. Returns the first error.
template <class T>
cudaError_t blend(const T* d_a, const T* d_b, T* d_out, int n, float t);
