// The three rungs with a tile of 32 x 32 differ only in where an element of the tile lies in shared memory.
#pragma once

#include "kernels/common/launch.h"

namespace workbook::kernels::rungs {

constexpr int transpose_tile_side = 32;
constexpr int transpose_tile_rows = 8;  // rows of threads: each thread moves four elements

constexpr int transpose_tile_steps = transpose_tile_side / transpose_tile_rows;

/// Place: a type with `floats` (size of the tile in shared memory) and `at(y, x)`.
template <class Place>
__global__ void __launch_bounds__(transpose_tile_side* transpose_tile_rows)
    transpose_tile_kernel(const float* in, float* out, int rows, int columns) {
  constexpr int side = transpose_tile_side;
  __shared__ float tile[Place::floats];
  const int first_column = blockIdx.x * side, x = threadIdx.x;
  for (int first_row = blockIdx.y * side; first_row < rows; first_row += gridDim.y * side) {
    float held[transpose_tile_steps];  // all loads are on their way before the first one is needed
#pragma unroll
    for (int k = 0; k < transpose_tile_steps; ++k) {
      const int row = first_row + threadIdx.y + k * transpose_tile_rows, column = first_column + x;
      if (row < rows && column < columns) held[k] = in[std::size_t(row) * columns + column];
    }
#pragma unroll
    for (int k = 0; k < transpose_tile_steps; ++k) {
      tile[Place::at(threadIdx.y + k * transpose_tile_rows, x)] = held[k];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < transpose_tile_steps; ++k) {  // the result's row is the tile's column
      const int y = threadIdx.y + k * transpose_tile_rows, row = first_column + y, column = first_row + x;
      if (row < columns && column < rows) out[std::size_t(row) * rows + column] = tile[Place::at(x, y)];
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
