// 5.5  Tiled transpose
//
// Rows become columns: out[column * height + row] = in[row * width + column]. Whoever walks along a row of
// `in` walks down a column of `out`. So one of the two sides touches a sector for every single number, unless
// somebody turns the corner in between.
//
// TODO transpose: it is right, and takes five times as long as copying. Let each block take a square of 32 x
// 32 numbers through shared memory, so that a warp reads along rows of `in` and writes along rows of `out`.
// When it works, it takes about as long as copying.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int side = 32;  // of the square that a block works on
constexpr int rows = 8;   // threads along y: each does side / rows numbers

__global__ void transpose_kernel(const float* in, float* out, int width, int height) {
  const int column = blockIdx.x * side + threadIdx.x;
  for (int k = threadIdx.y; k < side; k += rows) {
    const int row = blockIdx.y * side + k;
    if (column < width && row < height)
      out[std::size_t(column) * height + row] = in[std::size_t(row) * width + column];
  }
}

// d_in has `height` rows of `width` numbers, d_out `width` rows of `height`. Width and height are from 1 to
// 65535. Does not wait for the device.
void transpose(const float* d_in, float* d_out, int width, int height) {
  const dim3 block(side, rows), grid((width - 1) / side + 1, (height - 1) / side + 1);
  transpose_kernel<<<grid, block>>>(d_in, d_out, width, height);
}
