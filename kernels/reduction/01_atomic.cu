#include "kernels/common/launch.h"
#include "kernels/reduction/reduction.h"

namespace workbook::kernels::rungs {
namespace {

constexpr std::size_t block = 256;

__global__ void sum_atomic_kernel(const float* in, float* out, std::size_t count) {
  const std::size_t i = blockIdx.x * block + threadIdx.x;
  if (i < count) atomicAdd(out, in[i]);
}

}  // namespace

cudaError_t sum_atomic(const float* in, float* out, std::size_t count, cudaStream_t stream) {
  const cudaError_t cleared = cudaMemsetAsync(out, 0, sizeof(float), stream);
  if (cleared != cudaSuccess || count == 0) return cleared;
  sum_atomic_kernel<<<static_cast<unsigned>(pieces(count, block)), block, 0, stream>>>(in, out, count);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
