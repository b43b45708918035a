// wrong: other weights and other rounding than the exercise asks for: off by one here and there
// verdict: wrong
// code: values
// message: expected

#include <cuda_runtime.h>

#include <cstddef>

__global__ void grey_kernel(int width, int height, const unsigned char* rgb, unsigned char* grey) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const std::size_t i = std::size_t(row) * width + column;
  const int red = rgb[3 * i], green = rgb[3 * i + 1], blue = rgb[3 * i + 2];
  grey[i] = 0.299f * red + 0.587f * green + 0.114f * blue;
}

void rgb_to_grey(int width, int height, const unsigned char* d_rgb, unsigned char* d_grey) {
  if (width == 0 || height == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((width - 1) / block.x + 1, (height - 1) / block.y + 1);
  grey_kernel<<<grid, block>>>(width, height, d_rgb, d_grey);
}
