// Transposing a matrix: the ladder that shows what a warp's addresses cost.
//
// Every element is read once and written once, so a transpose cannot beat a copy. But rows become columns: if
// a warp reads 32 neighbours of a row, their places in the result lie a whole column apart, in 32 different
// sectors, of which it fills an eighth each. The way out is to turn a small tile in shared memory (or in
// registers), so that both sides move whole lines. `transpose` is the best rung.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::kernels {

/// A launcher of this ladder: out[c * rows + r] = in[r * columns + c].
///
/// `in` holds rows x columns floats in rows without gaps, `out` columns x rows; they must not overlap.
/// Asynchronous on `stream`. Any sizes from 0; with 0 nothing is launched. Returns cudaErrorInvalidValue for
/// a negative size, else the launch's error.
using Transpose = cudaError_t (*)(const float* in, float* out, int rows, int columns, cudaStream_t stream);

/// The best rung that fits: 16 bytes an access where the sizes are multiples of 4 and the pointers aligned to
/// 16 bytes, else 4 bytes an access. See Transpose.
cudaError_t transpose(const float* in, float* out, int rows, int columns, cudaStream_t stream = nullptr);

namespace rungs {
/// One element a thread. Idea: read along the rows, and let the writes fall where they must. Limit: each
/// written sector of 32 bytes gets 4 bytes at a time.
cudaError_t transpose_naive(const float* in, float* out, int rows, int columns,
                            cudaStream_t stream = nullptr);

/// A tile of 32 x 32 in shared memory. Idea: rows go in, columns come out, and both sides of global memory
/// see whole lines. Limit: a column of the tile lies in one bank, so reading it takes 32 passes.
cudaError_t transpose_tile(const float* in, float* out, int rows, int columns, cudaStream_t stream = nullptr);

/// The same tile with rows of 33. Idea: one float of padding moves each row on by a bank, so a column lies in
/// 32 banks. Limit: 16 bytes in flight a
/// thread, lines of 128 bytes on both sides, and a barrier that stops the whole block.
cudaError_t transpose_padded(const float* in, float* out, int rows, int columns,
                             cudaStream_t stream = nullptr);

/// The tile without padding, stored askew. Idea: element (y, x) goes to column x ^ y, so rows and columns
/// both lie in 32 banks and no shared memory is lost. Limit: that of the padded tile.
cudaError_t transpose_swizzled(const float* in, float* out, int rows, int columns,
                               cudaStream_t stream = nullptr);

/// A tile of 4 x 4 a thread, turned in registers. Idea: four loads of 16 bytes are in flight before the first
/// store, a warp covers whole sectors on both sides, and nobody waits at a barrier. Limit: a warp reads
/// pieces of 64 bytes, half a line, which DRAM likes less than whole ones. Rows and columns must be multiples
/// of 4 and both pointers aligned to 16 bytes, else cudaErrorInvalidValue.
cudaError_t transpose_vector(const float* in, float* out, int rows, int columns,
                             cudaStream_t stream = nullptr);

/// A tile of 64 x 64 in shared memory, 16 bytes an access of global memory. Idea: both sides are pieces of
/// 256 bytes, and four loads of 16 bytes a thread are in flight. Sizes and alignment as for transpose_vector.
cudaError_t transpose_staged(const float* in, float* out, int rows, int columns,
                             cudaStream_t stream = nullptr);
}  // namespace rungs

/// What a transpose must produce, on the host.
void transpose_reference(const float* in, float* out, int rows, int columns);

}  // namespace workbook::kernels
