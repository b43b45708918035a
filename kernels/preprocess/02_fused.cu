#include "kernels/common/launch.h"
#include "kernels/preprocess/pixel.cuh"
#include "kernels/preprocess/preprocess.h"

namespace workbook::kernels::rungs {
namespace {

constexpr std::size_t block = 256;

__global__ void preprocess_fused_kernel(const unsigned char* in, uint4* out, std::size_t pixels,
                                        Normalisation how) {
  const std::size_t i = blockIdx.x * block + threadIdx.x;
  if (i < pixels) out[i] = prepared_pixel(in[3 * i], in[3 * i + 1], in[3 * i + 2], how);
}

}  // namespace

cudaError_t preprocess_fused(const unsigned char* in, __half* out, int n, int h, int w, Normalisation how,
                             cudaStream_t stream) {
  if (n < 0 || h < 0 || w < 0 || !aligned(out, 16)) return cudaErrorInvalidValue;
  const std::size_t pixels = std::size_t(n) * h * w;
  if (pixels == 0) return cudaSuccess;
  if (pieces(pixels, block) > most_blocks) return cudaErrorInvalidValue;
  preprocess_fused_kernel<<<static_cast<unsigned>(pieces(pixels, block)), block, 0, stream>>>(
      in, reinterpret_cast<uint4*>(out), pixels, how);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
