#include "kernels/common/launch.h"
#include "kernels/preprocess/pixel.cuh"
#include "kernels/preprocess/preprocess.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int block = 256;
constexpr int pixels_per_thread = 4;
constexpr int warp_pixels = 32 * pixels_per_thread;  // 128
constexpr int warp_words = warp_pixels * 3 / 4;      // 96: three words of 4 bytes a lane

// A warp works alone: 128 pixels, its own 384 bytes of shared memory, no barrier of the block.
__global__ void __launch_bounds__(block)
    preprocess_staged_kernel(const unsigned char* in, uint4* out, std::size_t pixels, Normalisation how) {
  __shared__ unsigned words[block / 32][warp_words];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::size_t first = (blockIdx.x * std::size_t{block / 32} + warp) * warp_pixels;
  if (first >= pixels) return;
  if (first + warp_pixels > pixels) {  // the last warp: pixel by pixel
    for (std::size_t i = first + lane; i < pixels; i += 32) {
      out[i] = prepared_pixel(in[3 * i], in[3 * i + 1], in[3 * i + 2], how);
    }
    return;
  }
  const auto* from = reinterpret_cast<const unsigned*>(in + 3 * first);
#pragma unroll
  for (unsigned k = 0; k < 3; ++k) words[warp][lane + 32 * k] = from[lane + 32 * k];
  __syncwarp();
  const auto* bytes = reinterpret_cast<const unsigned char*>(words[warp]);
#pragma unroll
  for (unsigned k = 0; k < pixels_per_thread; ++k) {
    const unsigned i = lane + 32 * k;
    out[first + i] = prepared_pixel(bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2], how);
  }
}

}  // namespace

cudaError_t preprocess_staged(const unsigned char* in, __half* out, int n, int h, int w, Normalisation how,
                              cudaStream_t stream) {
  if (n < 0 || h < 0 || w < 0 || !aligned(out, 16)) return cudaErrorInvalidValue;
  if (!aligned(in, 4)) return preprocess_fused(in, out, n, h, w, how, stream);
  const std::size_t pixels = std::size_t(n) * h * w;
  if (pixels == 0) return cudaSuccess;
  const std::size_t blocks = pieces(pixels, std::size_t{block * pixels_per_thread});
  if (blocks > most_blocks) return cudaErrorInvalidValue;
  preprocess_staged_kernel<<<static_cast<unsigned>(blocks), block, 0, stream>>>(
      in, reinterpret_cast<uint4*>(out), pixels, how);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
