// Counting how often each number comes: the ladder of the histogram, and a program around it.
//
// Equalising an array means to spread its values evenly: each value is replaced by the share of values that
// are smaller. It takes four kernels: assign a bin to each value, count the bins, sum up the counts, look
// each value up. Where the values crowd in few bins, counting takes nearly all of the time, because every
// addition to one address waits for the one before it.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::kernels {

/// A launcher of this ladder: counts n numbers below `bins` into counts[0 .. bins - 1], which hold zero
/// before, in blocks of `threads`. Asynchronous on `stream`; n from 0 up; returns the launch's error.
using CountBins = cudaError_t (*)(const unsigned* bin, unsigned* counts, int n, int bins, int threads,
                                  cudaStream_t stream);

namespace rungs {
/// One atomic addition to global memory per number. Idea: the hardware keeps every count right. Limit:
/// numbers that are equal queue up at one address.
cudaError_t count_global(const unsigned* bin, unsigned* counts, int n, int bins, int threads,
                         cudaStream_t stream);

/// Each block counts into shared memory of its own and adds its counts to the others' at the end. Idea: the
/// queue is as long as a block's share, and stands in the SM. Limit: 12,288 bins.
cudaError_t count_shared(const unsigned* bin, unsigned* counts, int n, int bins, int threads,
                         cudaStream_t stream);
}  // namespace rungs

/// What the counting must produce, on the host; `counts` need not be cleared before.
void histogram_reference(const unsigned* bin, unsigned* counts, int n, int bins);

/// y[i] = (how many x lie in lower bins than x[i]) / n, for x in [0, 1) and `bins` bins of equal width. bin
/// (n numbers), counts and below (bins numbers each) are work space; counts holds the histogram afterwards.
/// Asynchronous; n from 0 up; returns the first error.
cudaError_t equalise(CountBins count, const float* x, float* y, int n, int bins, int threads, unsigned* bin,
                     unsigned* counts, unsigned* below, cudaStream_t stream = nullptr);

}  // namespace workbook::kernels
