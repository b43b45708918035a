// The exclusive prefix sum: out[i] is the sum of all numbers before i.
//
// It looks serial, because each result needs the one before. The ladder goes from many passes over the whole
// array to a single one, in which a block begins its part before its neighbour on the left knows its own sum.
// At best n numbers are read and n written: a copy. The numbers are unsigned and the sums wrap, so every
// order gives the same.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace workbook::kernels {

/// Bytes of work space that each launcher of this ladder needs for `count` numbers.
std::size_t scan_workspace(std::size_t count);

/// A launcher of this ladder: out[i] = in[0] + ... + in[i - 1], modulo 2^32; out[0] = 0.
///
/// `in` and `out` hold `count` numbers and must not overlap; `workspace` has scan_workspace(count) bytes,
/// aligned to 16, and may be used again when the launches are done. Any count from 0 to 2^31 - 1.
/// Asynchronous on `stream`. Returns cudaErrorInvalidValue for a greater count, else the first error of the
/// launches.
using Scan = cudaError_t (*)(const unsigned* in, unsigned* out, std::size_t count, void* workspace,
                             cudaStream_t stream);

/// The best rung. See Scan.
cudaError_t exclusive_scan(const unsigned* in, unsigned* out, std::size_t count, void* workspace,
                           cudaStream_t stream = nullptr);

namespace rungs {
/// One pass for each power of two below the count: each number gets the sum 1, 2, 4, ... places before it
/// added. Idea: after pass k every number holds the sum of 2^k numbers. Limit: log2(count) passes over
/// everything.
cudaError_t scan_passes(const unsigned* in, unsigned* out, std::size_t count, void* workspace,
                        cudaStream_t stream = nullptr);

/// Each block scans its numbers in shared memory, then the blocks' sums are scanned, then added. Idea: the
/// passes stay in shared memory, and only one number a block leaves it. Limit: every number is read twice and
/// written twice, and each pass in shared memory ends at a barrier.
cudaError_t scan_blocks(const unsigned* in, unsigned* out, std::size_t count, void* workspace,
                        cudaStream_t stream = nullptr);

/// First only sum up each tile, scan the sums, then scan the tiles from there. Idea: the first pass writes
/// nothing, and shuffles do in a warp what barriers did before. Limit: every number is read twice.
cudaError_t scan_reduce_first(const unsigned* in, unsigned* out, std::size_t count, void* workspace,
                              cudaStream_t stream = nullptr);

/// One pass. Idea: a block publishes its tile's sum, then looks back over its neighbours' sums until it meets
/// one that knows everything before it ("decoupled look-back", Merrill and Garland 2016); each number is read
/// once.
cudaError_t scan_look_back(const unsigned* in, unsigned* out, std::size_t count, void* workspace,
                           cudaStream_t stream = nullptr);
}  // namespace rungs

/// What the scan must produce, on the host.
void scan_reference(const unsigned* in, unsigned* out, std::size_t count);

}  // namespace workbook::kernels
