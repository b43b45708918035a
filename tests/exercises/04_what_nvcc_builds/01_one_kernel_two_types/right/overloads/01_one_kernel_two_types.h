#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

// d_out[i] = (1 - t) * d_a[i] + t * d_b[i] for i from 0 to n - 1; n from 0 up, t from 0 to 1, T is float or
// __half. Computes in float and rounds once, to T. Does not wait for the device. Returns the first error.
cudaError_t blend(const float* d_a, const float* d_b, float* d_out, int n, float t);
cudaError_t blend(const __half* d_a, const __half* d_b, __half* d_out, int n, float t);
