#include "kernels/common/launch.h"
#include "kernels/convolution/convolution.h"
#include "kernels/convolution/pixels.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int side = 32;

__global__ void __launch_bounds__(side* side)
    conv_1x1_tiled_kernel(const __half* in, const __half* weights, __half* out, int pixels, int c, int k) {
  __shared__ float of_in[side][side], of_weights[side][side + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first_filter = blockIdx.x * side;
  for (int first_pixel = blockIdx.y * side; first_pixel < pixels; first_pixel += gridDim.y * side) {
    const int pixel = first_pixel + y;
    float sum = 0;
    for (int first = 0; first < c; first += side) {
      const bool channel = first + x < c;
      of_in[y][x] = channel && pixel < pixels ? __half2float(in[std::size_t(pixel) * c + first + x]) : 0.0f;
      of_weights[y][x] = channel && first_filter + y < k
                             ? __half2float(weights[std::size_t(first_filter + y) * c + first + x])
                             : 0.0f;
      __syncthreads();
      for (int j = 0; j < side; ++j) sum += of_in[y][j] * of_weights[x][j];
      __syncthreads();
    }
    if (pixel < pixels && first_filter + x < k)
      out[std::size_t(pixel) * k + first_filter + x] = __float2half(sum);
  }
}

}  // namespace

cudaError_t conv_1x1_tiled(const __half* in, const __half* weights, __half* out, int n, int h, int w, int c,
                           int k, cudaStream_t stream) {
  const int pixels = conv_pixels(n, h, w, c, k);
  if (pixels < 0) return cudaErrorInvalidValue;
  if (pixels == 0 || k == 0) return cudaSuccess;
  const dim3 grid(pieces(k, side), grid_y(pieces(pixels, side)));
  conv_1x1_tiled_kernel<<<grid, dim3(side, side), 0, stream>>>(in, weights, out, pixels, c, k);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
