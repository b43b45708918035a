#include "kernels/histogram/histogram.h"

namespace workbook::kernels::rungs {
namespace {

__global__ void count_in_global_memory(const unsigned* bin, unsigned* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[bin[i]], 1u);
}

}  // namespace

cudaError_t count_global(const unsigned* bin, unsigned* counts, int n, int, int threads,
                         cudaStream_t stream) {
  if (n <= 0) return cudaSuccess;
  count_in_global_memory<<<(n - 1) / threads + 1, threads, 0, stream>>>(bin, counts, n);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
