// right: one kernel assigns bins and counts them
#include <cuda_runtime.h>

#include <algorithm>

__global__ void assign_and_count(const float* d_x, unsigned* d_bin, unsigned* d_counts, int n, int bins) {
  __shared__ unsigned mine[4096];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned bin = min(static_cast<unsigned>(d_x[i] * bins), bins - 1u);
    d_bin[i] = bin;
    atomicAdd(mine + bin, 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    if (mine[b] > 0) atomicAdd(d_counts + b, mine[b]);
  }
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
  assign_and_count<<<std::min(blocks, 2048), threads>>>(d_x, d_bin, d_counts, n, bins);
  sum_up<<<1, 1>>>(d_counts, d_below, bins);
  look_up<<<blocks, threads>>>(d_bin, d_below, d_y, n);
  return cudaGetLastError();
}
