// Groups smaller than a block: tiles of 4 to 32, coalesced threads, votes and matches.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

template <class Tile>
__device__ int sum_in_tile(Tile tile, int v) {
  for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
  return tile.shfl(v, 0);
}

__global__ void tiles(int* out) {
  auto block = cg::this_thread_block();
  auto t32 = cg::tiled_partition<32>(block);
  auto t16 = cg::tiled_partition<16>(t32);
  auto t4 = cg::tiled_partition<4>(block);
  const int me = block.thread_rank();
  out[me] = sum_in_tile(t4, me) + 1000 * sum_in_tile(t16, 1) + 100000 * t4.meta_group_rank();
}

// One atomic for all lanes of a warp that came here together.
__device__ int aggregated_add(int* counter) {
  cg::coalesced_group group = cg::coalesced_threads();
  int start = 0;
  if (group.thread_rank() == 0) start = atomicAdd(counter, group.size());
  return group.shfl(start, 0) + group.thread_rank();
}

__global__ void odd_ones(const int* in, int n, int* out, int* counter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (in[i] & 1)) out[aggregated_add(counter)] = in[i];
}

__global__ void votes(const int* in, int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int v = in[threadIdx.x];
  out[3 * threadIdx.x] = warp.any(v > 60) + 2 * warp.all(v >= 0);
  out[3 * threadIdx.x + 1] = __popc(warp.ballot(v & 1));
  out[3 * threadIdx.x + 2] = __popc(warp.match_any(v % 3));
}

int main() {
  const int n = 1000, block = 64;
  int host_in[n], out[n], *d_in, *d_out, *d_counter, kept = 0;
  long long sum = 0, expected = 0;
  int odd = 0;
  for (int i = 0; i < n; ++i) {
    host_in[i] = (i * 37) % 101;
    if (host_in[i] & 1) expected += host_in[i], ++odd;
  }
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMalloc(&d_counter, sizeof(int));
  cudaMemcpy(d_in, host_in, n * sizeof(int), cudaMemcpyHostToDevice);

  tiles<<<1, block>>>(d_out);
  cudaMemcpy(out, d_out, block * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int t = 0; t < block; ++t) wrong += out[t] != 4 * (t / 4 * 4) + 6 + 16000 + 100000 * (t / 4);
  std::printf("tiles: out[63] = %d, %d wrong\n", out[63], wrong);

  cudaMemset(d_counter, 0, sizeof(int));
  odd_ones<<<(n + 127) / 128, 128>>>(d_in, n, d_out, d_counter);
  cudaMemcpy(&kept, d_counter, sizeof kept, cudaMemcpyDeviceToHost);
  cudaMemcpy(out, d_out, kept * sizeof(int), cudaMemcpyDeviceToHost);
  for (int k = 0; k < kept; ++k) sum += out[k];
  std::printf("odd ones: %d (%d), their sum %lld (%lld)\n", kept, odd, sum, expected);

  votes<<<1, block>>>(d_in, d_out);
  cudaMemcpy(out, d_out, 3 * block * sizeof(int), cudaMemcpyDeviceToHost);
  for (int t : {0, 31, 32, 63})
    std::printf("thread %2d: %d %d %d\n", t, out[3 * t], out[3 * t + 1], out[3 * t + 2]);
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_counter);
  return wrong != 0 || kept != odd || sum != expected;
}
