// right: a block of 16 x 16, unsigned short for the sum (65,408 fits), a guard around the work

#include <cuda_runtime.h>

#include <cstddef>

__global__ void grey_kernel(int width, int height, const unsigned char* rgb, unsigned char* grey) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < width && row < height) {
    const std::size_t i = std::size_t(row) * width + column;
    const int red = rgb[3 * i], green = rgb[3 * i + 1], blue = rgb[3 * i + 2];
    const unsigned short sum = 77 * red + 150 * green + 29 * blue + 128;
    grey[i] = sum >> 8;
  }
}

void rgb_to_grey(int width, int height, const unsigned char* d_rgb, unsigned char* d_grey) {
  if (width == 0 || height == 0) return;
  const dim3 block(16, 16);
  const dim3 grid((width - 1) / block.x + 1, (height - 1) / block.y + 1);
  grey_kernel<<<grid, block>>>(width, height, d_rgb, d_grey);
}
