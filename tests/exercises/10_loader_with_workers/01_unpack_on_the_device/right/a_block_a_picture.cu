// right: a block of 32 x 8 threads walks over the rows and columns of one picture after the other
#include <cuda_runtime.h>

#include <cstddef>

struct Packed {
  const unsigned char* d_bytes;
  int images, width, height;
  std::size_t pitch;  // bytes from row to row, at least 3 * width
};

struct Crop {
  int x, y;  // of the left upper corner, in pixels
  int flip;  // 1: mirrored left to right
};

__global__ void pictures(Packed in, const Crop* crops, int width, int height, unsigned char* batch) {
  for (int image = blockIdx.x; image < in.images; image += gridDim.x) {
    const Crop crop = crops[image];
    for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < height; row += gridDim.y * blockDim.y) {
      const unsigned char* from = in.d_bytes + (std::size_t(image) * in.height + crop.y + row) * in.pitch;
      unsigned char* to = batch + (std::size_t(image) * height + row) * width * 3;
      for (int column = threadIdx.x; column < width; column += blockDim.x) {
        const int x = crop.x + (crop.flip ? width - 1 - column : column);
        to[3 * column] = from[3 * x];
        to[3 * column + 1] = from[3 * x + 1];
        to[3 * column + 2] = from[3 * x + 2];
      }
    }
  }
}

void unpack(const Packed& in, const Crop* d_crops, int width, int height, unsigned char* d_batch) {
  if (in.images == 0 || width == 0 || height == 0) return;
  const dim3 block(32, 8), grid(in.images, (height + block.y - 1) / block.y);
  pictures<<<grid, block>>>(in, d_crops, width, height, d_batch);
}
