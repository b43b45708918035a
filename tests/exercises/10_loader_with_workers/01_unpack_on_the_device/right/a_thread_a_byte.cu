// right: a thread for each byte, in a grid-stride loop: neighbours are neighbours again
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

__global__ void gather(Packed in, const Crop* crops, int width, int height, unsigned char* batch, std::size_t bytes) {
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t b = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; b < bytes; b += stride) {
    const int colour = b % 3;
    const std::size_t pixel = b / 3;
    const int column = pixel % width;
    const std::size_t line = pixel / width;
    const int row = line % height, image = line / height;
    const Crop crop = crops[image];
    const int x = crop.flip ? crop.x + width - 1 - column : crop.x + column;
    batch[b] = in.d_bytes[(std::size_t(image) * in.height + crop.y + row) * in.pitch + 3 * std::size_t(x) + colour];
  }
}

void unpack(const Packed& in, const Crop* d_crops, int width, int height, unsigned char* d_batch) {
  const std::size_t bytes = std::size_t(3) * in.images * width * height;
  if (bytes == 0) return;
  const std::size_t blocks = (bytes + 511) / 512;
  gather<<<blocks < 2112 ? blocks : 2112, 512>>>(in, d_crops, width, height, d_batch, bytes);
}
