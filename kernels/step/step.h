// The work that a loader feeds: reads a batch, and takes as long as it is told to.
//
// It stands for the training step of a network: it needs the whole batch, and its time depends on neither
// where the bytes lie nor what they are.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace workbook::kernels {

/// *sum = 31 * *before + what `step_reference` gives for the `bytes` bytes (a multiple of 16) at `batch`,
/// which is aligned to 16: a step needs what the one before it left. Without `before` (null) that is 0. One
/// block; about as long as one block takes to read the bytes, and then `rounds` operations more, each of
/// which waits for the one before (2 ns each on an H200). Asynchronous in `stream`; returns the launch's
/// error.
cudaError_t step(const void* batch, std::size_t bytes, int rounds, const std::uint64_t* before,
                 std::uint64_t* sum, cudaStream_t stream);

/// The sum over all 32-bit words w[i] of w[i] * (2 * i + 1), modulo 2^64: no two words may change places.
std::uint64_t step_reference(const void* batch, std::size_t bytes);

}  // namespace workbook::kernels
