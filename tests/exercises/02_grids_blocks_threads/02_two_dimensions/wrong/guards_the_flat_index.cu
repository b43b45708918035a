// wrong: guards only the flat index: threads right of the image do the next row once more
// verdict: wrong
// code: written_twice
// message: bytes were stored for its
// seen: simulated

#include <cuda_runtime.h>

#include <cstddef>

__global__ void grey_kernel(int width, int height, const unsigned char* rgb, unsigned char* grey) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  int p = r * width + c;
  if (p < width * height)
    grey[p] = (77 * rgb[3 * p] + 150 * rgb[3 * p + 1] + 29 * rgb[3 * p + 2] + 128) / 256;
}
void rgb_to_grey(int width, int height, const unsigned char* d_rgb, unsigned char* d_grey) {
  if (!width || !height) return;
  dim3 b(32, 8), g((width + 31) / 32, (height + 7) / 8);
  grey_kernel<<<g, b>>>(width, height, d_rgb, d_grey);
}
