// wrong: begins to count while other threads still clear
// verdict: wrong
// code: race_shared
// message: with no barrier between the two
// seen: simulated
#include <cuda_runtime.h>

#include <algorithm>

// Which of `bins` bins of equal width each value lies in. The values are from 0 up to, but not including, 1.
__global__ void assign_bins(const float* d_x, unsigned* d_bin, int n, int bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_bin[i] = min(static_cast<unsigned>(d_x[i] * bins), bins - 1u);
}

// How many values lie in each bin. d_counts holds zeros before.
__global__ void count_bins(const unsigned* d_bin, unsigned* d_counts, int n, int bins) {
  extern __shared__ unsigned mine[];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) mine[b] = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&mine[d_bin[i]], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&d_counts[b], mine[b]);
}

// How many values lie in the bins before each bin.
__global__ void sum_up(const unsigned* d_counts, unsigned* d_below, int bins) {
  unsigned sum = 0;
  for (int b = 0; b < bins; ++b) {
    d_below[b] = sum;
    sum += d_counts[b];
  }
}

// Each value becomes the share of values in lower bins.
__global__ void look_up(const unsigned* d_bin, const unsigned* d_below, float* d_y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = static_cast<float>(d_below[d_bin[i]]) / n;
}

// Spreads the values evenly: d_y[i] is the share of values that lie in lower bins than d_x[i]. n from 0 up,
// bins from 1 to 4096, blocks of `threads` threads, from 1 to 1024. d_bin (n numbers), d_counts and d_below
// (bins numbers each) are work space, full of anything; afterwards d_counts holds how many values lie in each
// bin. Does not wait for the device. Returns the first error.
cudaError_t equalise(const float* d_x, float* d_y, int n, int bins, int threads, unsigned* d_bin,
                     unsigned* d_counts, unsigned* d_below) {
  cudaMemsetAsync(d_counts, 0, bins * sizeof(unsigned));
  if (n == 0) return cudaGetLastError();
  const int blocks = (n - 1) / threads + 1;
  assign_bins<<<blocks, threads>>>(d_x, d_bin, n, bins);
  count_bins<<<std::min(blocks, 1024), threads, bins * sizeof(unsigned)>>>(d_bin, d_counts, n, bins);
  sum_up<<<1, 1>>>(d_counts, d_below, bins);
  look_up<<<blocks, threads>>>(d_bin, d_below, d_y, n);
  return cudaGetLastError();
}
