// right: an int holds the number of every byte of the largest image

#include <cuda_runtime.h>

#include <cstddef>

__global__ void grey_kernel(int width, int height, const unsigned char* rgb, unsigned char* grey) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= width || r >= height) return;
  int p = r * width + c;
  grey[p] = (77 * rgb[3 * p] + 150 * rgb[3 * p + 1] + 29 * rgb[3 * p + 2] + 128) / 256;
}
void rgb_to_grey(int width, int height, const unsigned char* d_rgb, unsigned char* d_grey) {
  if (!width || !height) return;
  dim3 b(32, 8), g((width + 31) / 32, (height + 7) / 8);
  grey_kernel<<<g, b>>>(width, height, d_rgb, d_grey);
}
