// wrong: takes the image as three planes, all reds first
// verdict: wrong
// message: expected

#include <cuda_runtime.h>

#include <cstddef>

__global__ void grey_kernel(int width, int height, const unsigned char* rgb, unsigned char* grey) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const std::size_t i = std::size_t(row) * width + column;
  const std::size_t plane = std::size_t(width) * height;
  const int red = rgb[i], green = rgb[i + plane], blue = rgb[i + 2 * plane];
  grey[i] = (77 * red + 150 * green + 29 * blue + 128) / 256;
}

void rgb_to_grey(int width, int height, const unsigned char* d_rgb, unsigned char* d_grey) {
  if (width == 0 || height == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((width - 1) / block.x + 1, (height - 1) / block.y + 1);
  grey_kernel<<<grid, block>>>(width, height, d_rgb, d_grey);
}
