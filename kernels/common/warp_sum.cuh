// The sum of a warp's 32 registers, and of a block's.
#pragma once

namespace workbook::kernels {

/// Lane 0 gets the sum over the warp. All 32 lanes must call it.
__device__ inline float warp_sum(float value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

/// Thread 0 gets the sum over the block, whose size is a multiple of 32. All threads must call it, once.
__device__ inline float block_sum(float value) {
  __shared__ float of_warp[32];
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return 0;
  return warp_sum(threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0.0f);
}

}  // namespace workbook::kernels
