// The code of chapter 5.
#include "claims.h"

__global__ void two_kinds(int* out) {
  // --8<-- [start:shared]
  __shared__ float fixed[256];          // so many, for every launch
  extern __shared__ float asked_for[];  // as many as the launch says: <<<blocks, threads, bytes>>>
  // --8<-- [end:shared]
  fixed[threadIdx.x] = threadIdx.x;
  asked_for[threadIdx.x] = 2.0f * threadIdx.x;
  __syncthreads();
  const int other = blockDim.x - 1 - threadIdx.x;
  out[threadIdx.x] = static_cast<int>(fixed[other] + asked_for[other]);
}

// The lesson asks what happens with a block that is not full. Here all are.
__global__ void not_everybody(const float* x, float* out, int n) {
  __shared__ float board[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // --8<-- [start:not_everybody]
  if (i < n) {
    board[threadIdx.x] = x[i];
    __syncthreads();
  }
  // --8<-- [end:not_everybody]
  out[i] = board[blockDim.x - 1 - threadIdx.x];
}

__device__ int clamp_to(int i, int n) {
  return i < 0 ? 0 : i < n ? i : n - 1;
}

__global__ void stencil(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  // --8<-- [start:seven_loads]
  for (int k = -3; k <= 3; ++k) sum += x[clamp_to(i + k, n)];  // right, and seven loads
  // --8<-- [end:seven_loads]
  y[i] = sum;
}

__global__ void tree(float* part, float* sum) {
  // --8<-- [start:tree]
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();  // outside of the if: everybody comes
  }
  // --8<-- [end:tree]
  if (threadIdx.x == 0) *sum = part[0];
}

__global__ void from_further_on(float* out) {
  const float mine = 10.0f * threadIdx.x;
  // --8<-- [start:shuffle]
  const float theirs = __shfl_down_sync(0xffffffff, mine, 16);  // what the lane 16 further on holds
  // --8<-- [end:shuffle]
  out[threadIdx.x] = theirs;
}

float sum_of_block(int threads) {
  float *part = shared_by_both<float>(threads), *sum = shared_by_both<float>(1);
  for (int i = 0; i < threads; ++i) part[i] = 1.0f;
  tree<<<1, threads>>>(part, sum);
  CLAIM(all_well());
  return *sum;
}

int main() {
  int* mirrored = shared_by_both<int>(256);
  two_kinds<<<1, 256, 256 * sizeof(float)>>>(mirrored);
  CLAIM(all_well() && mirrored[0] == 3 * 255 && mirrored[255] == 0);

  const int n = 512;
  float *x = shared_by_both<float>(n), *y = shared_by_both<float>(n);
  for (int i = 0; i < n; ++i) x[i] = i;
  not_everybody<<<2, 256>>>(x, y, n);
  CLAIM(all_well() && y[0] == 255.0f && y[511] == 256.0f);
  stencil<<<2, 256>>>(x, y, n);
  CLAIM(all_well() && y[100] == 700.0f && y[0] == 0 + 0 + 0 + 0 + 1 + 2 + 3);

  CLAIM(sum_of_block(128) == 128.0f);
  CLAIM(sum_of_block(96) == 64.0f);  // 96 ones: at 3, what thread 2 holds is lost
  from_further_on<<<1, 32>>>(y);
  CLAIM(all_well() && y[0] == 160.0f && y[15] == 310.0f);
  return broken_claims;
}
