#include "kernels/common/launch.h"
#include "kernels/copy/copy.h"

namespace workbook::kernels::rungs {
namespace {

constexpr unsigned block = 256;
constexpr unsigned loads = 4;  // independent 16-byte loads of one thread

__global__ void __launch_bounds__(block) copy_vector_kernel(const uint4* from, uint4* to, std::size_t count) {
  const std::size_t first = blockIdx.x * std::size_t{block * loads} + threadIdx.x;
  uint4 held[loads];
#pragma unroll
  for (unsigned k = 0; k < loads; ++k) {
    if (first + k * block < count) held[k] = from[first + k * block];
  }
#pragma unroll
  for (unsigned k = 0; k < loads; ++k) {
    if (first + k * block < count) to[first + k * block] = held[k];
  }
}

}  // namespace

cudaError_t copy_vector(const void* from, void* to, std::size_t bytes, cudaStream_t stream) {
  if (!aligned(from, sizeof(uint4)) || !aligned(to, sizeof(uint4))) return cudaErrorInvalidValue;
  const std::size_t whole = bytes / sizeof(uint4);
  if (whole > 0) {
    const std::size_t blocks = pieces(whole, std::size_t{block * loads});
    if (blocks > most_blocks) return cudaErrorInvalidValue;
    copy_vector_kernel<<<static_cast<unsigned>(blocks), block, 0, stream>>>(static_cast<const uint4*>(from),
                                                                            static_cast<uint4*>(to), whole);
  }
  const std::size_t done = whole * sizeof(uint4);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess || done == bytes) return error;
  return copy_elements(static_cast<const unsigned char*>(from) + done, static_cast<unsigned char*>(to) + done,
                       bytes - done, 1, stream);
}

}  // namespace workbook::kernels::rungs
