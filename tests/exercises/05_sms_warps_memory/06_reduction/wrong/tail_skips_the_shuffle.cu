// wrong: threads without a number leave before the shuffle, whose mask says that they come
// verdict: wrong
// code: absent_lanes
// message: are in the mask and did not come to this line
// seen: simulated
#include <cuda_runtime.h>

#include <algorithm>

// The sum of the 32 values of a warp, in lane 0. All 32 lanes call it.
__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  return value;
}

__global__ void sum_kernel(const float* x, int n, float* sum) {
  __shared__ float of_warp[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float mine = 0;
  if (i < n) {
    mine = x[i];
    mine = warp_sum(mine);
  }
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();
  if (warp > 0) return;
  mine = warp_sum(lane < blockDim.x / 32 ? of_warp[lane] : 0.0f);
  if (lane == 0) atomicAdd(sum, mine);
}

// *d_sum = x[0] + ... + x[n - 1]; n from 0 up to 2^30. d_sum holds anything before. Blocks of `threads`
// threads, a multiple of 32 up to 1024. Does not wait for the device.
void sum(const float* d_x, int n, float* d_sum, int threads) {
  cudaMemsetAsync(d_sum, 0, sizeof(float));
  if (n == 0) return;
  sum_kernel<<<(n - 1) / threads + 1, threads>>>(d_x, n, d_sum);
}
