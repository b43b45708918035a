// wrong: every thread adds to *d_sum: one accumulator, and rounding in one direction
// verdict: wrong
// code: rounding
// message: How large is the sum that a single number is added to
#include <cuda_runtime.h>

#include <algorithm>

// The sum of the 32 values of a warp, in lane 0. All 32 lanes call it.
__device__ float warp_sum(float value) {
  return value;
}

__global__ void sum_kernel(const float* x, int n, float* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}

// *d_sum = x[0] + ... + x[n - 1]; n from 0 up to 2^30. d_sum holds anything before. Blocks of `threads`
// threads, a multiple of 32 up to 1024. Does not wait for the device.
void sum(const float* d_x, int n, float* d_sum, int threads) {
  cudaMemsetAsync(d_sum, 0, sizeof(float));
  if (n == 0) return;
  sum_kernel<<<(n - 1) / threads + 1, threads>>>(d_x, n, d_sum);
}
