#include "kernels/scan/scan.h"
#include "kernels/scan/tile.cuh"

namespace workbook::kernels::rungs {
namespace {

// What a tile has published: state and number in one word of 8 bytes, which no reader sees half written.
using Published = unsigned long long;
constexpr Published own_sum = 1ull << 32, everything_before_and_own = 2ull << 32;

__device__ void publish(Published* where, Published state, unsigned number) {
  *static_cast<volatile Published*>(where) = state | number;
}

// One warp looks back, 32 tiles at a time, until it meets a tile that knows all before it.
__device__ unsigned look_back(Published* published, unsigned tile) {
  const unsigned lane = threadIdx.x % 32;
  unsigned sum = 0;
  for (int nearest = static_cast<int>(tile) - 1; nearest >= 0; nearest -= 32) {
    const int mine = nearest - static_cast<int>(lane);
    Published seen = everything_before_and_own;  // before the first tile there is nothing
    do {
      if (mine >= 0) seen = *static_cast<volatile Published*>(published + mine);
    } while (__any_sync(0xffffffffu, seen >> 32 == 0));
    const unsigned knowing = __ballot_sync(0xffffffffu, seen >> 32 == everything_before_and_own >> 32);
    const unsigned last = knowing == 0 ? 31 : __ffs(knowing) - 1;  // the nearest one that knows
    unsigned part = lane <= last ? static_cast<unsigned>(seen) : 0;
#pragma unroll
    for (unsigned distance = 16; distance > 0; distance /= 2)
      part += __shfl_down_sync(0xffffffffu, part, distance);
    sum += part;
    if (knowing != 0) break;
  }
  return sum;  // in lane 0
}

// Tiles are drawn as tickets, so that all before a block's own have begun and will publish.
__global__ void __launch_bounds__(scan_threads)
    scan_look_back_kernel(const unsigned* in, unsigned* out, std::size_t count, bool whole, unsigned* ticket,
                          Published* published) {
  __shared__ unsigned my_tile, my_start;
  if (threadIdx.x == 0) my_tile = atomicAdd(ticket, 1);
  __syncthreads();
  const unsigned tile = my_tile;
  uint4 held[scan_vectors];
  load_tile(held, in, count, tile, whole);
  const unsigned sum = scan_in_tile(held);
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) publish(published + tile, tile == 0 ? everything_before_and_own : own_sum, sum);
    const unsigned before = look_back(published, tile);
    if (threadIdx.x == 0) {
      if (tile > 0) publish(published + tile, everything_before_and_own, before + sum);
      my_start = before;
    }
  }
  __syncthreads();
  add_to_tile(held, my_start);
  store_tile(held, out, count, tile, whole);
}

}  // namespace

cudaError_t scan_look_back(const unsigned* in, unsigned* out, std::size_t count, void* workspace,
                           cudaStream_t stream) {
  if (count > 2147483647) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  const auto tiles = static_cast<unsigned>(pieces(count, std::size_t{scan_tile}));
  auto* published = static_cast<Published*>(workspace) + 2;  // the ticket has the first 16 bytes
  const cudaError_t cleared = cudaMemsetAsync(workspace, 0, (tiles + 2) * sizeof(Published), stream);
  if (cleared != cudaSuccess) return cleared;
  scan_look_back_kernel<<<tiles, scan_threads, 0, stream>>>(
      in, out, count, aligned(in, 16) && aligned(out, 16), static_cast<unsigned*>(workspace), published);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
