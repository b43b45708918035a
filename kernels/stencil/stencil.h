// Stencils: each result needs its neighbours, so each number is read several times.
//
// In global memory the repeated reads are mostly hits in L1, but each is still a request of the load/store
// unit. In shared memory a block loads its part and a rim of neighbours (the halo) once. What lies beyond the
// edge counts as the nearest number inside.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::kernels {

/// The widest stencil of the 1-D rungs: radius 0 to 32.
constexpr int most_stencil_radius = 32;

/// A launcher of the 1-D rungs: out[i] = mean of in[i - radius] .. in[i + radius], indices clamped to [0, n).
///
/// `in` and `out` hold n floats and must not overlap. The sum goes from left to right and is multiplied by
/// 1 / (2 radius + 1). Any n from 0. Asynchronous on `stream`. Returns cudaErrorInvalidValue for a negative n
/// or a radius that is not between 0 and most_stencil_radius, else the launch's error.
using Stencil1d = cudaError_t (*)(const float* in, float* out, int n, int radius, cudaStream_t stream);

/// A launcher of the 2-D rungs: five points, out = fma(weight, up + down + left + right, (1 - 4 weight)
/// centre), the four summed in this order; beyond the edge counts the nearest element.
///
/// `in` and `out` hold rows x columns floats without gaps and must not overlap. Any sizes from 0.
/// Asynchronous on `stream`. Returns cudaErrorInvalidValue for a negative size, else the launch's error.
using Stencil2d = cudaError_t (*)(const float* in, float* out, int rows, int columns, float weight,
                                  cudaStream_t stream);

namespace rungs {
/// Each thread reads its 2 radius + 1 numbers from global memory. Idea: neighbours read nearly the same
/// numbers, so L1 answers all but the first. Limit: 2 radius + 1 requests a warp where one would carry the
/// data.
cudaError_t stencil_1d_global(const float* in, float* out, int n, int radius, cudaStream_t stream = nullptr);

/// A block loads its numbers and the halo into shared memory. Idea: each number comes from global memory
/// once. Limit: as many reads of shared memory as before of global memory, and a barrier.
cudaError_t stencil_1d_shared(const float* in, float* out, int n, int radius, cudaStream_t stream = nullptr);

/// One element a thread, five loads from global memory. Idea: three of the five are hits in L1, because the
/// block's other rows loaded them. Limit: five requests for each result.
cudaError_t stencil_2d_global(const float* in, float* out, int rows, int columns, float weight,
                              cudaStream_t stream = nullptr);

/// A tile with a rim of one in shared memory. Idea: one load an element and the rim, then five reads of
/// shared memory. Limit: the rim's loads are short, and nothing overlaps the barrier but other blocks.
cudaError_t stencil_2d_shared(const float* in, float* out, int rows, int columns, float weight,
                              cudaStream_t stream = nullptr);
}  // namespace rungs

/// What the stencils must produce, on the host, in the same order of operations.
void stencil_1d_reference(const float* in, float* out, int n, int radius);
void stencil_2d_reference(const float* in, float* out, int rows, int columns, float weight);

}  // namespace workbook::kernels
