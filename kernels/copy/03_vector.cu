#include "kernels/copy/copy.h"

namespace workbook::kernels::rungs {
namespace {

constexpr unsigned block = 256;
constexpr unsigned loads = 4;  // independent 16-byte loads of one thread

__global__ void copy_vector_kernel(const uint4* from, uint4* to, std::size_t count) {
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
  const std::size_t whole = bytes / sizeof(uint4);
  if (whole > 0) {
    const auto grid = static_cast<unsigned>((whole + block * loads - 1) / (block * loads));
    copy_vector_kernel<<<grid, block, 0, stream>>>(static_cast<const uint4*>(from), static_cast<uint4*>(to),
                                                   whole);
  }
  const std::size_t done = whole * sizeof(uint4);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess || done == bytes) return error;
  return copy_bytes(static_cast<const unsigned char*>(from) + done, static_cast<unsigned char*>(to) + done,
                    bytes - done, stream);
}

}  // namespace workbook::kernels::rungs
