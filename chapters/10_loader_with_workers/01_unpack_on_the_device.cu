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

// TODO: unpack_kernel. You will see "every shape" pass, and a batch that is unpacked in at most eleven times what
// copying as many bytes takes.

// d_crops has one crop for each picture; all parts are width x height pixels.
void unpack(const Packed& in, const Crop* d_crops, int width, int height, unsigned char* d_batch) {
  // TODO: unpack, which launches it.
  (void)in, (void)d_crops, (void)width, (void)height, (void)d_batch;
}
