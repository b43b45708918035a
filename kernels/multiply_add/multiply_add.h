// Multiply and add, over and over: what a device can compute when no byte has to be fetched.
//
// Each number is read once, goes through as many multiply-adds as asked, each of which waits for the one
// before, and is written once. With some hundred rounds the memory no longer matters, and what is left is the
// rate of the units. Two things are in their way: a loop that counts, compares and jumps for each
// multiply-add, and too few threads to have one ready while another waits.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::kernels {

/// A launcher of this ladder: x[i] = fma(x[i], a, b), `rounds` times, for n floats from 0 up. Rounds from 0.
/// Asynchronous on `stream`; returns cudaErrorInvalidValue for a negative n or `rounds`, else the launch's
/// error.
using MultiplyAdd = cudaError_t (*)(float* x, int n, float a, float b, int rounds, cudaStream_t stream);

/// The best rung. See MultiplyAdd.
cudaError_t multiply_add(float* x, int n, float a, float b, int rounds, cudaStream_t stream = nullptr);

namespace rungs {
/// The loop as it stands, one number a thread. Limit: three instructions of the loop for each that computes.
cudaError_t multiply_add_loop(float* x, int n, float a, float b, int rounds, cudaStream_t stream = nullptr);

/// 64 rounds to a turn of the loop. Idea: the loop's own instructions come once for 64 that compute.
cudaError_t multiply_add_unrolled(float* x, int n, float a, float b, int rounds,
                                  cudaStream_t stream = nullptr);
}  // namespace rungs

/// The same on the host, with one rounding a multiply-add.
void multiply_add_reference(float* x, int n, float a, float b, int rounds);

}  // namespace workbook::kernels
