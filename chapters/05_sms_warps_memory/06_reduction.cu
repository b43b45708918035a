// 5.6  Reduction
//
// The sum of an array. One addition for each number, as with saxpy, and yet all of them want the same place.
// In this version they stand in one queue for it, for the whole device; and a float that has grown to
// millions no longer notices the last digits of what is added to it, so the result is wrong as well.
#include <cuda_runtime.h>

#include <algorithm>

// The sum of the 32 values of a warp, in lane 0. All 32 lanes call it.
__device__ float warp_sum(float value) {
  // TODO warp_sum: __shfl_down_sync(0xffffffff, value, 16) is the value of the lane 16 further on. After how
  // many such steps has lane 0 seen all others?
  return value;
}

// TODO sum_kernel: each thread adds up many numbers in a register of its own, each warp adds up its threads',
// and one warp adds up the warps'. One addition to *sum for each block is few enough. When it works, the sum
// is right to five digits, and takes at most 0.6 of the time of a tree in shared memory.
__global__ void sum_kernel(const float* x, int n, float* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}

// *d_sum = x[0] + ... + x[n - 1]; n from 0 up to 2^30. d_sum holds anything before. Blocks of `threads`
// threads, a multiple of 32 up to 1024. Does not wait for the device.
void sum(const float* d_x, int n, float* d_sum, int threads) {
  // TODO sum: what must *d_sum be before the first block adds to it? And how many blocks are enough?
  if (n == 0) return;
  sum_kernel<<<(n - 1) / threads + 1, threads>>>(d_x, n, d_sum);
}
