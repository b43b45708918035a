#include <algorithm>

#include "kernels/histogram/histogram.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int numbers_per_thread = 32;

__global__ void count_in_shared_memory(const unsigned* bin, unsigned* counts, int n, int bins) {
  extern __shared__ unsigned mine[];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&mine[bin[i]], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    if (mine[b] != 0) atomicAdd(&counts[b], mine[b]);
  }
}

}  // namespace

cudaError_t count_shared(const unsigned* bin, unsigned* counts, int n, int bins, int threads,
                         cudaStream_t stream) {
  if (n <= 0) return cudaSuccess;
  const int blocks = std::min((n - 1) / (threads * numbers_per_thread) + 1, 4096);
  count_in_shared_memory<<<blocks, threads, bins * sizeof(unsigned), stream>>>(bin, counts, n, bins);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
