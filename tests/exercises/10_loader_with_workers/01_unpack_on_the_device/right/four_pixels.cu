// right: a thread takes four pixels, and writes them as three words where the batch allows it
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

__global__ void four(Packed in, const Crop* crops, int width, int height, unsigned char* batch) {
  const int groups = (width + 3) / 4;
  const std::size_t t = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= std::size_t(in.images) * height * groups) return;
  const int first = t % groups * 4;
  const std::size_t line = t / groups;
  const int image = line / height, row = line % height;
  const Crop crop = crops[image];
  const unsigned char* from = in.d_bytes + (std::size_t(image) * in.height + crop.y + row) * in.pitch + 3 * crop.x;
  const std::size_t to = (line * width + first) * 3;
  const int count = width - first < 4 ? width - first : 4;
  __align__(4) unsigned char bytes[12];
  for (int k = 0; k < 4; ++k) {
    const int column = first + (k < count ? k : 0);
    const int x = crop.flip ? width - 1 - column : column;
    for (int colour = 0; colour < 3; ++colour) bytes[3 * k + colour] = from[3 * x + colour];
  }
  if (count == 4 && to % 4 == 0) {
    const auto* words = reinterpret_cast<const unsigned*>(bytes);
    for (int k = 0; k < 3; ++k) reinterpret_cast<unsigned*>(batch + to)[k] = words[k];
  } else {
    for (int b = 0; b < 3 * count; ++b) batch[to + b] = bytes[b];
  }
}

void unpack(const Packed& in, const Crop* d_crops, int width, int height, unsigned char* d_batch) {
  const std::size_t threads = std::size_t(in.images) * height * ((width + 3) / 4);
  if (threads == 0) return;
  four<<<(threads + 127) / 128, 128>>>(in, d_crops, width, height, d_batch);
}
