#include <cstdint>
#include <cstring>

#include "kernels/copy/copy.h"

namespace workbook::kernels {
namespace {

constexpr unsigned block = 256;

// For pointers that no vector type fits.
__global__ void copy_unaligned_kernel(const unsigned char* from, unsigned char* to, std::size_t count) {
  const std::size_t i = blockIdx.x * std::size_t{block} + threadIdx.x;
  if (i < count) to[i] = from[i];
}

bool aligned(const void* p, std::size_t to) {
  return reinterpret_cast<std::uintptr_t>(p) % to == 0;
}

}  // namespace

cudaError_t copy(const void* from, void* to, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  if (aligned(from, sizeof(uint4)) && aligned(to, sizeof(uint4))) {
    return rungs::copy_vector(from, to, bytes, stream);
  }
  const auto grid = static_cast<unsigned>((bytes + block - 1) / block);
  copy_unaligned_kernel<<<grid, block, 0, stream>>>(static_cast<const unsigned char*>(from),
                                                    static_cast<unsigned char*>(to), bytes);
  return cudaGetLastError();
}

void copy_reference(const void* from, void* to, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

}  // namespace workbook::kernels
