#include "kernels/copy/copy.h"

namespace workbook::kernels::rungs {
namespace {

__global__ void copy_scalar_kernel(const float* from, float* to, std::size_t count) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count) to[i] = from[i];
}

}  // namespace

cudaError_t copy_scalar(const float* from, float* to, std::size_t count, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  constexpr unsigned block = 256;
  const auto grid = static_cast<unsigned>((count + block - 1) / block);
  copy_scalar_kernel<<<grid, block, 0, stream>>>(from, to, count);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
