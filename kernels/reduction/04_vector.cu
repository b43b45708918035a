#include <algorithm>

#include "kernels/common/launch.h"
#include "kernels/common/warp_sum.cuh"
#include "kernels/reduction/reduction.h"

namespace workbook::kernels::rungs {
namespace {

constexpr std::size_t block = 512;
constexpr std::size_t loads = 4;  // independent 16-byte loads of one thread

__device__ float sum_of(float4 v) {
  return (v.x + v.y) + (v.z + v.w);
}

// `head` floats before the first one aligned to 16 bytes, `vectors` whole vectors behind them, then the tail.
__global__ void __launch_bounds__(block)
    sum_vector_kernel(const float* in, float* out, std::size_t count, std::size_t head, std::size_t vectors) {
  const auto* body = reinterpret_cast<const float4*>(in + head);
  const std::size_t first = blockIdx.x * block * loads + threadIdx.x;
  const std::size_t step = gridDim.x * block * loads;
  float mine[loads] = {};
  std::size_t i = first;
  for (; i + (loads - 1) * block < vectors; i += step) {
    float4 held[loads];
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) held[k] = body[i + k * block];
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) mine[k] += sum_of(held[k]);
  }
  for (; i < vectors; i += block) mine[0] += sum_of(body[i]);

  if (blockIdx.x == 0) {
    const std::size_t edge = head + (count - head - 4 * vectors);  // at most 3 before and 3 behind
    if (threadIdx.x < edge) mine[0] += in[threadIdx.x < head ? threadIdx.x : 4 * vectors + threadIdx.x];
  }
  const float total = block_sum((mine[0] + mine[1]) + (mine[2] + mine[3]));
  if (threadIdx.x == 0) atomicAdd(out, total);
}

}  // namespace

cudaError_t sum_vector(const float* in, float* out, std::size_t count, cudaStream_t stream) {
  const cudaError_t cleared = cudaMemsetAsync(out, 0, sizeof(float), stream);
  if (cleared != cudaSuccess || count == 0) return cleared;
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(in) % sizeof(float4) / sizeof(float);
  const std::size_t head = std::min((4 - beyond) % 4, count);
  const std::size_t vectors = (count - head) / 4;
  const std::size_t grid = std::clamp<std::size_t>(pieces(vectors, block * loads), 1, 4 * 132);
  sum_vector_kernel<<<static_cast<unsigned>(grid), block, 0, stream>>>(in, out, count, head, vectors);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
