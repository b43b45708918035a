#include "kernels/common/launch.h"
#include "kernels/reduction/reduction.h"

namespace workbook::kernels::rungs {
namespace {

constexpr std::size_t block = 256;

__global__ void sum_tree_kernel(const float* in, float* out, std::size_t count) {
  __shared__ float partial[block];
  const std::size_t i = blockIdx.x * block + threadIdx.x;
  partial[threadIdx.x] = i < count ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned half = block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, partial[0]);
}

}  // namespace

cudaError_t sum_tree(const float* in, float* out, std::size_t count, cudaStream_t stream) {
  const cudaError_t cleared = cudaMemsetAsync(out, 0, sizeof(float), stream);
  if (cleared != cudaSuccess || count == 0) return cleared;
  sum_tree_kernel<<<static_cast<unsigned>(pieces(count, block)), block, 0, stream>>>(in, out, count);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
