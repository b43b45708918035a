// The three rungs with a tile of 32 x 32 differ only in where an element of the tile lies in shared memory.
#pragma once

#include "kernels/common/launch.h"

namespace workbook::kernels::rungs {

constexpr int transpose_tile_side = 32;
constexpr int transpose_tile_rows = 8;  // rows of threads: each thread moves four elements

/// Place: a type with `floats` (size of the tile in shared memory) and `at(y, x)`.
template <class Place>
__global__ void __launch_bounds__(256)
    transpose_tile_kernel(const float* in, float* out, int rows, int columns) {
  constexpr int side = transpose_tile_side;
  __shared__ float tile[Place::floats];
  for (int tile_y = blockIdx.y; tile_y * side < rows; tile_y += gridDim.y) {
    const int column = blockIdx.x * side + threadIdx.x;
    const int first_row = tile_y * side;
#pragma unroll
    for (int y = threadIdx.y; y < side; y += transpose_tile_rows) {
      if (first_row + y < rows && column < columns) {
        tile[Place::at(y, threadIdx.x)] = in[std::size_t(first_row + y) * columns + column];
      }
    }
    __syncthreads();
    const int row = first_row + threadIdx.x;  // the result's row is the tile's column
#pragma unroll
    for (int x = threadIdx.y; x < side; x += transpose_tile_rows) {
      const int result_row = blockIdx.x * side + x;
      if (result_row < columns && row < rows) {
        out[std::size_t(result_row) * rows + row] = tile[Place::at(threadIdx.x, x)];
      }
    }
    __syncthreads();  // the next tile may overwrite this one
  }
}

template <class Place>
cudaError_t transpose_with_tile(const float* in, float* out, int rows, int columns, cudaStream_t stream) {
  if (rows < 0 || columns < 0) return cudaErrorInvalidValue;
  if (rows == 0 || columns == 0) return cudaSuccess;
  const dim3 grid(pieces(columns, transpose_tile_side), grid_y(pieces(rows, transpose_tile_side)));
  transpose_tile_kernel<Place>
      <<<grid, dim3(transpose_tile_side, transpose_tile_rows), 0, stream>>>(in, out, rows, columns);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
