// A tile of 4096 numbers, 16 a thread: loaded as vectors, scanned by shuffles.
#pragma once

#include "kernels/common/launch.h"

namespace workbook::kernels::rungs {

constexpr unsigned scan_threads = 256;
constexpr unsigned scan_vectors = 4;  // of four numbers, a thread's share
constexpr unsigned scan_tile = scan_threads * scan_vectors * 4;

/// The inclusive sum over the lanes of a warp.
__device__ inline unsigned warp_scan(unsigned value) {
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned before = __shfl_up_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 >= distance) value += before;
  }
  return value;
}

/// Vector k of a warp's part: 32 lanes side by side, so that a load of the warp is 512 bytes in a row.
__device__ inline std::size_t scan_place(std::size_t tile, unsigned k) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  return tile * scan_tile + warp * (32 * scan_vectors * 4) + k * 128 + lane * 4;
}

/// Zeros behind the end. `whole`: 16 bytes at a time are allowed.
__device__ inline void load_tile(uint4 (&held)[scan_vectors], const unsigned* in, std::size_t count,
                                 std::size_t tile, bool whole) {
#pragma unroll
  for (unsigned k = 0; k < scan_vectors; ++k) {
    const std::size_t at = scan_place(tile, k);
    if (whole && at + 4 <= count) {
      held[k] = *reinterpret_cast<const uint4*>(in + at);
    } else {
      held[k].x = at < count ? in[at] : 0;
      held[k].y = at + 1 < count ? in[at + 1] : 0;
      held[k].z = at + 2 < count ? in[at + 2] : 0;
      held[k].w = at + 3 < count ? in[at + 3] : 0;
    }
  }
}

__device__ inline void store_tile(const uint4 (&held)[scan_vectors], unsigned* out, std::size_t count,
                                  std::size_t tile, bool whole) {
#pragma unroll
  for (unsigned k = 0; k < scan_vectors; ++k) {
    const std::size_t at = scan_place(tile, k);
    if (whole && at + 4 <= count) {
      *reinterpret_cast<uint4*>(out + at) = held[k];
    } else {
      if (at < count) out[at] = held[k].x;
      if (at + 1 < count) out[at + 1] = held[k].y;
      if (at + 2 < count) out[at + 2] = held[k].z;
      if (at + 3 < count) out[at + 3] = held[k].w;
    }
  }
}

/// Replaces each number by the sum of those before it in the tile; gives the tile's sum. All threads must
/// call it.
__device__ inline unsigned scan_in_tile(uint4 (&held)[scan_vectors]) {
  __shared__ unsigned of_warp[scan_threads / 32];
  const unsigned warp = threadIdx.x / 32;
  unsigned carried = 0;  // what the warp's vectors before this one sum up to
#pragma unroll
  for (unsigned k = 0; k < scan_vectors; ++k) {
    const uint4 v = held[k];
    const unsigned own = v.x + v.y + v.z + v.w, upto = warp_scan(own), before = carried + upto - own;
    held[k] = make_uint4(before, before + v.x, before + v.x + v.y, before + v.x + v.y + v.z);
    carried += __shfl_sync(0xffffffffu, upto, 31);
  }
  if (threadIdx.x % 32 == 0) of_warp[warp] = carried;
  __syncthreads();
  unsigned before = 0, all = 0;
#pragma unroll
  for (unsigned w = 0; w < scan_threads / 32; ++w) {
    if (w < warp) before += of_warp[w];
    all += of_warp[w];
  }
#pragma unroll
  for (unsigned k = 0; k < scan_vectors; ++k) {
    held[k] = make_uint4(held[k].x + before, held[k].y + before, held[k].z + before, held[k].w + before);
  }
  return all;
}

__device__ inline void add_to_tile(uint4 (&held)[scan_vectors], unsigned before) {
#pragma unroll
  for (unsigned k = 0; k < scan_vectors; ++k) {
    held[k] = make_uint4(held[k].x + before, held[k].y + before, held[k].z + before, held[k].w + before);
  }
}

}  // namespace workbook::kernels::rungs
