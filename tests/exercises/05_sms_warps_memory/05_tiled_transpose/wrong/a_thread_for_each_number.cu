// wrong: 1024 threads a block, one number each: two such blocks fit on an SM, and each takes long to start
// verdict: too slow
// code: bound.copy
// message: how many threads has a block
// seen: simulated
#include <cuda_runtime.h>

#include <cstddef>

constexpr int side = 32;  // of the square that a block works on

__global__ void transpose_kernel(const float* in, float* out, int width, int height) {
  __shared__ float square[side][side + 1];
  int column = blockIdx.x * side + threadIdx.x, row = blockIdx.y * side + threadIdx.y;
  if (column < width && row < height)
    square[threadIdx.y][threadIdx.x] = in[std::size_t(row) * width + column];
  __syncthreads();
  column = blockIdx.y * side + threadIdx.x;
  row = blockIdx.x * side + threadIdx.y;
  if (column < height && row < width)
    out[std::size_t(row) * height + column] = square[threadIdx.x][threadIdx.y];
}

// d_in has `height` rows of `width` numbers, d_out `width` rows of `height`. Width and height are from 1 to
// 65535. Does not wait for the device.
void transpose(const float* d_in, float* d_out, int width, int height) {
  const dim3 block(side, side), grid((width - 1) / side + 1, (height - 1) / side + 1);
  transpose_kernel<<<grid, block>>>(d_in, d_out, width, height);
}
