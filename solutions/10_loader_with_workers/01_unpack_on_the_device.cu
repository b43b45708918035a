// 10.1  Unpack on the device
//
// Pictures of one size come packed: three bytes a pixel (red, green, blue), rows from the top, and from row to row
// `pitch` bytes. What lies between the rows is not yours. Picture after picture, without further gaps; the last row of
// the last picture ends with its last pixel.
//
// Of each picture a part is cut, all parts of one size, and some of them are flipped left to right. They go one behind
// the other into `batch`, with no gaps at all: batch[picture][row][column][colour].
//
// 0 to 100,000 pictures, at most 2^31 - 1 bytes in the batch; every crop lies inside its picture.

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
  unpack_kernel<<<(pixels - 1) / threads + 1, threads>>>(in, d_crops, width, height, d_batch);
}
