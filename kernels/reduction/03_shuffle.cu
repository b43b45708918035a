#include <algorithm>

#include "kernels/common/launch.h"
#include "kernels/common/warp_sum.cuh"
#include "kernels/reduction/reduction.h"

namespace workbook::kernels::rungs {
namespace {

constexpr std::size_t block = 256;
constexpr std::size_t elements_per_thread = 16;

__global__ void sum_shuffle_kernel(const float* in, float* out, std::size_t count) {
  float mine = 0;
  const std::size_t threads = gridDim.x * block;
  for (std::size_t i = blockIdx.x * block + threadIdx.x; i < count; i += threads) mine += in[i];
  mine = warp_sum(mine);
  if (threadIdx.x % 32 == 0) atomicAdd(out, mine);
}

}  // namespace

cudaError_t sum_shuffle(const float* in, float* out, std::size_t count, cudaStream_t stream) {
  const cudaError_t cleared = cudaMemsetAsync(out, 0, sizeof(float), stream);
  if (cleared != cudaSuccess || count == 0) return cleared;
  const std::size_t grid = std::min<std::size_t>(pieces(count, block * elements_per_thread), 8 * 132);
  sum_shuffle_kernel<<<static_cast<unsigned>(grid), block, 0, stream>>>(in, out, count);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
