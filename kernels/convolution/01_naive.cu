#include "kernels/common/launch.h"
#include "kernels/convolution/convolution.h"
#include "kernels/convolution/pixels.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int side = 16;

__global__ void conv_1x1_naive_kernel(const __half* in, const __half* weights, __half* out, int pixels, int c,
                                      int k) {
  const int filter = blockIdx.x * side + threadIdx.x;
  if (filter >= k) return;
  for (int pixel = blockIdx.y * side + threadIdx.y; pixel < pixels; pixel += gridDim.y * side) {
    float sum = 0;
    for (int j = 0; j < c; ++j) {
      sum +=
          __half2float(in[std::size_t(pixel) * c + j]) * __half2float(weights[std::size_t(filter) * c + j]);
    }
    out[std::size_t(pixel) * k + filter] = __float2half(sum);
  }
}

}  // namespace

cudaError_t conv_1x1_naive(const __half* in, const __half* weights, __half* out, int n, int h, int w, int c,
                           int k, cudaStream_t stream) {
  const int pixels = conv_pixels(n, h, w, c, k);
  if (pixels < 0) return cudaErrorInvalidValue;
  if (pixels == 0 || k == 0) return cudaSuccess;
  const dim3 grid(pieces(k, side), grid_y(pieces(pixels, side)));
  conv_1x1_naive_kernel<<<grid, dim3(side, side), 0, stream>>>(in, weights, out, pixels, c, k);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
