// wrong: reads along rows and writes down columns
// verdict: too slow
// code: bound.copy
// message: Stores to global memory
// message: how many sectors do they read
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
