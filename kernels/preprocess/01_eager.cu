#include "kernels/common/launch.h"
#include "kernels/preprocess/preprocess.h"

namespace workbook::kernels::rungs {
namespace {

constexpr std::size_t block = 256;

__device__ std::size_t my_index() {
  return blockIdx.x * block + threadIdx.x;
}

__global__ void bytes_to_floats(const unsigned char* in, float* out, std::size_t count) {
  const std::size_t i = my_index();
  if (i < count) out[i] = in[i];
}

__global__ void normalise(float* numbers, std::size_t count, Normalisation how) {
  const std::size_t i = my_index();
  if (i >= count) return;
  const unsigned channel = i % 3;
  const float scale = channel == 0 ? how.scale[0] : channel == 1 ? how.scale[1] : how.scale[2];
  const float bias = channel == 0 ? how.bias[0] : channel == 1 ? how.bias[1] : how.bias[2];
  numbers[i] = fmaf(numbers[i], scale, bias);
}

__global__ void floats_to_halves(const float* in, __half* out, std::size_t count) {
  const std::size_t i = my_index();
  if (i < count) out[i] = __float2half(in[i]);
}

__global__ void pad_to_eight(const __half* in, __half* out, std::size_t count) {
  const std::size_t i = my_index();  // of the result
  if (i >= count) return;
  const std::size_t pixel = i / preprocess_channels;
  const unsigned channel = i % preprocess_channels;
  out[i] = channel < 3 ? in[pixel * 3 + channel] : __float2half(0.0f);
}

}  // namespace

cudaError_t preprocess_eager(const unsigned char* in, __half* out, int n, int h, int w, Normalisation how,
                             float* floats, __half* halves, cudaStream_t stream) {
  if (n < 0 || h < 0 || w < 0 || !aligned(out, 16)) return cudaErrorInvalidValue;
  const std::size_t pixels = std::size_t(n) * h * w;
  if (pixels == 0) return cudaSuccess;
  const std::size_t count = 3 * pixels, padded = preprocess_channels * pixels;
  if (pieces(padded, block) > most_blocks) return cudaErrorInvalidValue;
  const auto grid = static_cast<unsigned>(pieces(count, block));
  bytes_to_floats<<<grid, block, 0, stream>>>(in, floats, count);
  normalise<<<grid, block, 0, stream>>>(floats, count, how);
  floats_to_halves<<<grid, block, 0, stream>>>(floats, halves, count);
  pad_to_eight<<<static_cast<unsigned>(pieces(padded, block)), block, 0, stream>>>(halves, out, padded);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
