#include <algorithm>
#include <cstdint>

#include "kernels/common/launch.h"
#include "kernels/copy/copy.h"

namespace workbook::kernels::rungs {
namespace {

constexpr unsigned block = 256;
constexpr std::size_t vector_bytes = sizeof(uint4);

// The first `head` bytes and those from `head + 16 vectors` on, byte by byte: the first block does it.
__device__ void copy_ends(const unsigned char* from, unsigned char* to, std::size_t bytes, std::size_t head,
                          std::size_t vectors) {
  const std::size_t body = vectors * vector_bytes;
  for (std::size_t i = threadIdx.x; i < bytes - body; i += block) {
    const std::size_t at = i < head ? i : body + i;
    to[at] = from[at];
  }
}

// `words` is from + head rounded down to 4 bytes, `shift` the bits rounded off.
__global__ void __launch_bounds__(block)
    copy_shifted_kernel(const unsigned char* from, unsigned char* to, std::size_t bytes, std::size_t head,
                        std::size_t vectors, unsigned shift) {
  if (blockIdx.x == 0) copy_ends(from, to, bytes, head, vectors);
  const std::size_t i = blockIdx.x * std::size_t{block} + threadIdx.x;
  if (i >= vectors) return;
  const auto* words = reinterpret_cast<const unsigned*>(from + head - shift / 8) + 4 * i;
  unsigned held[5];
#pragma unroll
  for (int k = 0; k < 4; ++k) held[k] = words[k];
  held[4] = shift == 0 ? 0 : words[4];
  reinterpret_cast<uint4*>(to + head)[i] =
      make_uint4(__funnelshift_r(held[0], held[1], shift), __funnelshift_r(held[1], held[2], shift),
                 __funnelshift_r(held[2], held[3], shift), __funnelshift_r(held[3], held[4], shift));
}

}  // namespace

cudaError_t copy_shifted(const void* from, void* to, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  // The body begins where `to` is aligned and ends early enough: no word that it reads lies outside of
  // `from`.
  std::size_t head = (vector_bytes - reinterpret_cast<std::uintptr_t>(to) % vector_bytes) % vector_bytes;
  if (head < 3) head += vector_bytes;
  head = std::min(head, bytes);
  const std::size_t vectors = bytes - head < 3 ? 0 : (bytes - head - 3) / vector_bytes;
  const std::size_t blocks = std::max<std::size_t>(1, pieces(vectors, std::size_t{block}));
  if (blocks > most_blocks) return cudaErrorInvalidValue;
  const auto* first = static_cast<const unsigned char*>(from);
  const unsigned shift = 8 * (reinterpret_cast<std::uintptr_t>(first + head) % 4);
  copy_shifted_kernel<<<static_cast<unsigned>(blocks), block, 0, stream>>>(
      first, static_cast<unsigned char*>(to), bytes, head, vectors, shift);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
