#include "kernels/histogram/histogram.h"

namespace workbook::kernels {
namespace {

__global__ void assign_bins(const float* x, unsigned* bin, int n, int bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bin[i] = min(static_cast<unsigned>(x[i] * bins), bins - 1u);
}

__global__ void sum_up(const unsigned* counts, unsigned* below, int bins) {
  unsigned sum = 0;
  for (int b = 0; b < bins; ++b) {
    below[b] = sum;
    sum += counts[b];
  }
}

__global__ void look_up(const unsigned* bin, const unsigned* below, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = static_cast<float>(below[bin[i]]) / n;
}

}  // namespace

cudaError_t equalise(CountBins count, const float* x, float* y, int n, int bins, int threads, unsigned* bin,
                     unsigned* counts, unsigned* below, cudaStream_t stream) {
  cudaError_t status = cudaMemsetAsync(counts, 0, bins * sizeof(unsigned), stream);
  if (status != cudaSuccess || n <= 0) return status;
  const int blocks = (n - 1) / threads + 1;
  assign_bins<<<blocks, threads, 0, stream>>>(x, bin, n, bins);
  status = count(bin, counts, n, bins, threads, stream);
  sum_up<<<1, 1, 0, stream>>>(counts, below, bins);
  look_up<<<blocks, threads, 0, stream>>>(bin, below, y, n);
  return status == cudaSuccess ? cudaGetLastError() : status;
}

void histogram_reference(const unsigned* bin, unsigned* counts, int n, int bins) {
  for (int b = 0; b < bins; ++b) counts[b] = 0;
  for (int i = 0; i < n; ++i) ++counts[bin[i]];
}

}  // namespace workbook::kernels
