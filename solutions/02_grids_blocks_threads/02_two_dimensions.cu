// 2.2  Two dimensions
//
// A colour image becomes grey. Each pixel of rgb is three bytes: red, green, blue. The rows follow each other
// without gaps, from the top; a row is `width` pixels long. grey has one byte a pixel, in the same order:
//
//   grey = (77 * red + 150 * green + 29 * blue + 128) / 256      in whole numbers
//
// Width and height are 0 to 65535, and no image has more than 2^28 pixels. Each pixel is written once.

#include <cuda_runtime.h>

#include <cstddef>

// x is the axis along which threads of a warp are neighbours, so x is the column: neighbours in memory.
__global__ void grey_kernel(int width, int height, const unsigned char* rgb, unsigned char* grey) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const std::size_t i = std::size_t(row) * width + column;
  const int red = rgb[3 * i], green = rgb[3 * i + 1], blue = rgb[3 * i + 2];
  grey[i] = (77 * red + 150 * green + 29 * blue + 128) / 256;  // an int on the way: up to 65,408
}

void rgb_to_grey(int width, int height, const unsigned char* d_rgb, unsigned char* d_grey) {
  if (width == 0 || height == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((width - 1) / block.x + 1, (height - 1) / block.y + 1);
  grey_kernel<<<grid, block>>>(width, height, d_rgb, d_grey);
}
