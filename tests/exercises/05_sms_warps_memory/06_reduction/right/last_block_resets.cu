// right: the last block to come adds up, and sets the counter back with a plain store
#include <cuda_runtime.h>
#include <algorithm>
__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  return value;
}
constexpr int most = 1056;
__device__ float partial[most];
__device__ unsigned done;
__device__ float block_sum(float mine) {
  __shared__ float parts[32];
  mine = warp_sum(mine);
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
  __syncthreads();
  float all = 0;
  if (threadIdx.x < 32) all = warp_sum(threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0.0f);
  return all;
}
__global__ void sum_kernel(const float* x, int n, float* sum) {
  __shared__ bool last;
  float a = 0, b = 0;
  const int stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n - stride; i += 2 * stride) { a += x[i]; b += x[i + stride]; }
  if (i < n) a += x[i];
  const float mine = block_sum(a + b);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(&done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  float rest = 0;
  for (int k = threadIdx.x; k < int(gridDim.x); k += blockDim.x) rest += *(volatile float*)&partial[k];
  rest = block_sum(rest);
  if (threadIdx.x == 0) { *sum = rest; done = 0; }
}
void sum(const float* d_x, int n, float* d_sum, int threads) {
  sum_kernel<<<std::min(n / threads + 1, std::min(most, 270336 / threads)), threads>>>(d_x, n, d_sum);
}
