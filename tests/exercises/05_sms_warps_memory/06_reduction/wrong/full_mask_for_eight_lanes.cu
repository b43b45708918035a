// wrong: as many lanes as there are warps come to the second shuffle, and the mask says 32
// verdict: wrong
// code: no_number
// message: lanes 8 to 31 are in the mask and did not come to this line
// message: is nobody's value
// message: Which lanes come to this line, and which does its mask name?
// seen: simulated
#include <cuda_runtime.h>

#include <algorithm>

__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  return value;
}

__global__ void sum_kernel(const float* x, int n, float* sum) {
  __shared__ float parts[32];
  float mine = 0;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  mine = warp_sum(mine);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x < blockDim.x / 32) {
    mine = warp_sum(parts[threadIdx.x]);
    if (threadIdx.x == 0) atomicAdd(sum, mine);
  }
}

void sum(const float* d_x, int n, float* d_sum, int threads) {
  cudaMemsetAsync(d_sum, 0, sizeof(float));
  if (n == 0) return;
  sum_kernel<<<std::min((n - 1) / threads + 1, 132 * 2048 / threads), threads>>>(d_x, n, d_sum);
}
