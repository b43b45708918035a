#include "kernels/common/launch.h"
#include "kernels/transpose/transpose.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int side = 64;      // of a tile
constexpr int threads = 256;  // of a block
constexpr int lines = 8;      // vectors of a warp side by side: 128 bytes
constexpr int loads = side * side / 4 / threads;

// Item i of a tile: 8 vectors of a line, then the next line; the other half of the lines after all of these.
// So a warp has 8 vectors of 4 lines, which lie in 32 different banks of the turned tile.
struct Item {
  int line, first;  // of four numbers
  __device__ explicit Item(int i)
      : line(i / lines % side), first(4 * (i % lines + i / lines / side * lines)) {}
};

__global__ void __launch_bounds__(threads)
    transpose_staged_kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[side][side + 1];  // turned: a line is a column of the matrix
  const int first_column = blockIdx.x * side;
  for (int first_row = blockIdx.y * side; first_row < rows; first_row += gridDim.y * side) {
    float4 held[loads];
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      const Item item(threadIdx.x + k * threads);
      const int row = first_row + item.line, column = first_column + item.first;
      if (row < rows && column < columns) {
        held[k] = *reinterpret_cast<const float4*>(in + std::size_t(row) * columns + column);
      }
    }
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      const Item item(threadIdx.x + k * threads);
      tile[item.first][item.line] = held[k].x;
      tile[item.first + 1][item.line] = held[k].y;
      tile[item.first + 2][item.line] = held[k].z;
      tile[item.first + 3][item.line] = held[k].w;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      const Item item(threadIdx.x + k * threads);
      const int row = first_column + item.line, column = first_row + item.first;
      const float* from = &tile[item.line][item.first];
      if (row < columns && column < rows) {
        *reinterpret_cast<float4*>(out + std::size_t(row) * rows + column) =
            make_float4(from[0], from[1], from[2], from[3]);
      }
    }
    __syncthreads();  // the next tile may overwrite this one
  }
}

}  // namespace

cudaError_t transpose_staged(const float* in, float* out, int rows, int columns, cudaStream_t stream) {
  if (rows < 0 || columns < 0 || rows % 4 != 0 || columns % 4 != 0) return cudaErrorInvalidValue;
  if (!aligned(in, sizeof(float4)) || !aligned(out, sizeof(float4))) return cudaErrorInvalidValue;
  if (rows == 0 || columns == 0) return cudaSuccess;
  const dim3 grid(pieces(columns, side), grid_y(pieces(rows, side)));
  transpose_staged_kernel<<<grid, threads, 0, stream>>>(in, out, rows, columns);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
