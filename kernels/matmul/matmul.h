// Multiplying matrices: the ladder of reuse.
//
// C = A B takes 2 M N K operations but has only M K + K N + M N numbers, so each number is used many times.
// The rungs differ in where it is kept meanwhile: in no place at all (each use is a load), in shared memory
// (one load of a tile serves 32 threads), in registers (one load from shared memory serves 8 threads' worth
// of work), and in the operands of a tensor core, which multiplies whole tiles by itself.
//
// All matrices lie row by row without gaps: A is M x K, B is K x N, C is M x N.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

namespace workbook::kernels {

/// A launcher of the float rungs: c[i * n + j] = sum over l of a[i * k + l] * b[l * n + j].
///
/// `a` holds m x k floats, `b` k x n, `c` m x n; `c` must not overlap the others. Any sizes from 0: with m or
/// n 0 nothing is launched, with k 0 the result is 0. Asynchronous on `stream`. Returns cudaErrorInvalidValue
/// for a negative size, else the launch's error.
using MatMul = cudaError_t (*)(const float* a, const float* b, float* c, int m, int n, int k,
                               cudaStream_t stream);

/// A launcher of the tensor core rungs: the same with A and B in half; the sums are kept in float.
using MatMulHalf = cudaError_t (*)(const __half* a, const __half* b, float* c, int m, int n, int k,
                                   cudaStream_t stream);

namespace rungs {
/// One element of C a thread, straight from global memory. Idea: none; this is the definition. Limit: two
/// loads for each multiplication, so the load/store unit is what works.
cudaError_t matmul_naive(const float* a, const float* b, float* c, int m, int n, int k,
                         cudaStream_t stream = nullptr);

/// Tiles of 32 x 32 in shared memory. Idea: what a thread loads, 32 threads use. Limit: still two loads from
/// shared memory for each multiplication.
cudaError_t matmul_tiled(const float* a, const float* b, float* c, int m, int n, int k,
                         cudaStream_t stream = nullptr);

/// A tile of 128 x 128 a block, 8 x 8 sums a thread. Idea: sixteen numbers from shared memory serve 64
/// multiplications, and the next tile is loaded into registers meanwhile. Limit: one multiplication a thread
/// and cycle is all that the ordinary units can do.
cudaError_t matmul_registers(const float* a, const float* b, float* c, int m, int n, int k,
                             cudaStream_t stream = nullptr);

/// Tensor cores, one piece of 16 x 16 a warp. Idea: a warp multiplies two pieces of 16 x 16
/// together, with a few instructions. Limit: each piece of A and B is used once, so the warp mostly waits for
/// its loads.
cudaError_t matmul_wmma(const __half* a, const __half* b, float* c, int m, int n, int k,
                        cudaStream_t stream = nullptr);

/// Tensor cores, 128 x 128 a block and 64 x 32 a warp. Idea: pieces from shared memory serve several
/// multiplications, and two buffers let loads and tensor cores work at the same time.
cudaError_t matmul_tensor(const __half* a, const __half* b, float* c, int m, int n, int k,
                          cudaStream_t stream = nullptr);
}  // namespace rungs

/// The product on the host, summed in double.
void matmul_reference(const float* a, const float* b, float* c, int m, int n, int k);
void matmul_reference(const __half* a, const __half* b, float* c, int m, int n, int k);

}  // namespace workbook::kernels
