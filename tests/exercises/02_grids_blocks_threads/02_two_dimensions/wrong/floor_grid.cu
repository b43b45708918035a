// wrong: width / 32 by height / 8 blocks: small images get a grid without blocks
// verdict: wrong
// code: cudaErrorInvalidValue
// message: Which pixels get no thread

#include <cuda_runtime.h>

#include <cstddef>

__global__ void grey_kernel(int width, int height, const unsigned char* rgb, unsigned char* grey) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const std::size_t i = std::size_t(row) * width + column;
  const int red = rgb[3 * i], green = rgb[3 * i + 1], blue = rgb[3 * i + 2];
  grey[i] = (77 * red + 150 * green + 29 * blue + 128) / 256;
}

void rgb_to_grey(int width, int height, const unsigned char* d_rgb, unsigned char* d_grey) {
  if (width == 0 || height == 0) return;
  const dim3 block(32, 8);
  const dim3 grid(width / block.x, height / block.y);
  grey_kernel<<<grid, block>>>(width, height, d_rgb, d_grey);
}
