// wrong: x and y of the crop change places
// verdict: wrong
// code: crop_axes
// message: change places
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
  const std::size_t pixels = std::size_t(in.images) * height * width;
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const int column = i % width, row = i / width % height, image = i / width / height;
  const Crop crop = crops[image];
  const int x = crop.y + (crop.flip ? width - 1 - column : column);
  const std::size_t line = std::size_t(image) * in.height + crop.x + row;
  const unsigned char* from = in.d_bytes + line * in.pitch + 3 * std::size_t(x);
  for (int colour = 0; colour < 3; ++colour) batch[3 * i + colour] = from[colour];
}

// d_crops has one crop for each picture; all parts are width x height pixels.
void unpack(const Packed& in, const Crop* d_crops, int width, int height, unsigned char* d_batch) {
  const std::size_t pixels = std::size_t(in.images) * height * width;
  if (pixels == 0) return;
  const unsigned threads = 256;
  unpack_kernel<<<(pixels - 1) / threads + 1, threads>>>(in, d_crops, width, height, d_batch);
}
