#include "kernels/scan/scan.h"
#include "kernels/scan/tile.cuh"

namespace workbook::kernels::rungs {
namespace {

__global__ void __launch_bounds__(scan_threads)
    sum_tiles(const unsigned* in, unsigned* sums, std::size_t count, bool whole) {
  __shared__ unsigned of_warp[scan_threads / 32];
  uint4 held[scan_vectors];
  load_tile(held, in, count, blockIdx.x, whole);
  unsigned sum = 0;
#pragma unroll
  for (unsigned k = 0; k < scan_vectors; ++k) sum += held[k].x + held[k].y + held[k].z + held[k].w;
#pragma unroll
  for (unsigned distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned w = 1; w < scan_threads / 32; ++w) sum += of_warp[w];
  sums[blockIdx.x] = sum;
}

// One block walks over the tiles' sums and replaces each by the sum of those before it.
__global__ void __launch_bounds__(scan_threads) scan_sums(unsigned* sums, std::size_t tiles) {
  unsigned before = 0;
  for (std::size_t tile = 0; tile * scan_tile < tiles; ++tile) {
    uint4 held[scan_vectors];
    load_tile(held, sums, tiles, tile, true);
    const unsigned all = scan_in_tile(held);
    add_to_tile(held, before);
    store_tile(held, sums, tiles, tile, true);
    before += all;
    __syncthreads();  // the warps' sums of this tile are read before the next one's are written
  }
}

__global__ void __launch_bounds__(scan_threads)
    scan_tiles(const unsigned* in, unsigned* out, const unsigned* before, std::size_t count, bool whole) {
  uint4 held[scan_vectors];
  load_tile(held, in, count, blockIdx.x, whole);
  const unsigned start = before[blockIdx.x];
  scan_in_tile(held);
  add_to_tile(held, start);
  store_tile(held, out, count, blockIdx.x, whole);
}

}  // namespace

cudaError_t scan_reduce_first(const unsigned* in, unsigned* out, std::size_t count, void* workspace,
                              cudaStream_t stream) {
  if (count > 2147483647) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  const bool whole = aligned(in, 16) && aligned(out, 16);
  const auto tiles = static_cast<unsigned>(pieces(count, std::size_t{scan_tile}));
  auto* sums = static_cast<unsigned*>(workspace);
  sum_tiles<<<tiles, scan_threads, 0, stream>>>(in, sums, count, whole);
  scan_sums<<<1, scan_threads, 0, stream>>>(sums, tiles);
  scan_tiles<<<tiles, scan_threads, 0, stream>>>(in, out, sums, count, whole);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
