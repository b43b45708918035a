// Summing an array: the ladder from one queue for all threads to the speed of reading.
//
// A sum reads n floats and writes one, so it cannot beat half a copy of as many bytes. What makes it slow is
// meeting: additions to one address wait for each other, and so do threads at a barrier. Each rung lets more
// of the sum happen where nobody has to wait: in a block, in a warp, in a thread's own register.
//
// Floating-point addition rounds, so the order matters. The later rungs sum in trees, whose error grows with
// the depth of the tree; the order in which blocks arrive varies, so the last bits may differ between runs.
// `sum_error_bound` says by how much a correct sum may be off.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace workbook::kernels {

/// A launcher of this ladder: *out = in[0] + ... + in[count - 1]; 0 for an empty array.
///
/// `in` and `out` are device pointers; `out` need not be cleared before. Asynchronous on `stream`. Any count
/// from 0. Returns the first error of the launches.
using Sum = cudaError_t (*)(const float* in, float* out, std::size_t count, cudaStream_t stream);

/// The best rung. See Sum.
cudaError_t sum(const float* in, float* out, std::size_t count, cudaStream_t stream = nullptr);

namespace rungs {
/// One atomic addition an element. Idea: the hardware keeps the sum right whoever comes when. Limit: all
/// additions go to one address and wait for one another.
cudaError_t sum_atomic(const float* in, float* out, std::size_t count, cudaStream_t stream = nullptr);

/// A tree in shared memory. Idea: halve the numbers of a block eight times, then add once for the whole
/// block. Limit: a barrier for each halving, with half of the threads idle after the first and more after
/// each.
cudaError_t sum_tree(const float* in, float* out, std::size_t count, cudaStream_t stream = nullptr);

/// Shuffles. Idea: a thread first sums many elements in its register, then a warp sums its 32 registers
/// without shared memory or a barrier. Limit: one 4-byte load at a time is too little in flight.
cudaError_t sum_shuffle(const float* in, float* out, std::size_t count, cudaStream_t stream = nullptr);

/// Sixteen bytes a load, four loads in flight. Idea: as many bytes on their way as the memory can take, and
/// one atomic addition a block. `in` may have any alignment that a float has.
cudaError_t sum_vector(const float* in, float* out, std::size_t count, cudaStream_t stream = nullptr);
}  // namespace rungs

/// The sum on the host, in double.
double sum_reference(const float* in, std::size_t count);

/// How far a float sum may be from the true one, if no number takes part in more than `additions` roundings
/// on its way into the result: additions x 2^-24 x the sum of all magnitudes. (Higham, Accuracy and Stability
/// of Numerical Algorithms, 4.2.) One accumulator: count; a tree: log2(count); blocks that add to one
/// address: the number of blocks, plus what comes before in the block.
double sum_error_bound(double additions, double sum_of_magnitudes);

}  // namespace workbook::kernels
