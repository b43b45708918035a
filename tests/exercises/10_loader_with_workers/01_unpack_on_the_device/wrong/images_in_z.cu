// wrong: one layer of the grid for each picture, and a grid has at most 65,535 layers
// verdict: wrong
// code: cudaErrorInvalidValue
// message: at most 65535 blocks along z
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

// A thread for each pixel of the batch; neighbours in the batch are neighbours in a row of the picture.
__global__ void unpack_kernel(Packed in, const Crop* crops, int width, int height, unsigned char* batch) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y, image = blockIdx.z;
  if (column >= width) return;
  const std::size_t i = (std::size_t(image) * height + row) * width + column;
  const Crop crop = crops[image];
  const int x = crop.x + (crop.flip ? width - 1 - column : column);
  const std::size_t line = std::size_t(image) * in.height + crop.y + row;
  const unsigned char* from = in.d_bytes + line * in.pitch + 3 * std::size_t(x);
  for (int colour = 0; colour < 3; ++colour) batch[3 * i + colour] = from[colour];
}

// d_crops has one crop for each picture; all parts are width x height pixels.
void unpack(const Packed& in, const Crop* d_crops, int width, int height, unsigned char* d_batch) {
  const std::size_t pixels = std::size_t(in.images) * height * width;
  if (pixels == 0) return;
  const unsigned threads = 256;
  unpack_kernel<<<dim3((width - 1) / threads + 1, height, in.images), threads>>>(in, d_crops, width, height, d_batch);
}
