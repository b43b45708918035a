// wrong: a tree that halves the block: right when its size is a power of two
// verdict: wrong
// code: sum
// message: n = 96, blocks of 96
#include <cuda_runtime.h>

#include <algorithm>

// The sum of the 32 values of a warp, in lane 0. All 32 lanes call it.
__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  return value;
}

__global__ void sum_kernel(const float* x, int n, float* sum) {
  extern __shared__ float part[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

// *d_sum = x[0] + ... + x[n - 1]; n from 0 up to 2^30. d_sum holds anything before. Blocks of `threads`
// threads, a multiple of 32 up to 1024. Does not wait for the device.
void sum(const float* d_x, int n, float* d_sum, int threads) {
  cudaMemsetAsync(d_sum, 0, sizeof(float));
  if (n == 0) return;
  sum_kernel<<<(n - 1) / threads + 1, threads, threads * sizeof(float)>>>(d_x, n, d_sum);
}
