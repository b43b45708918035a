#include "kernels/common/launch.h"
#include "kernels/transpose/transpose.h"

namespace workbook::kernels::rungs {
namespace {

// A warp has 8 threads down the rows and 4 along the columns: it reads 32 pieces of 64 bytes and writes 16
// lines of 128. A block has 8 warps, 4 x 2: together 128 x 32... see the constants.
constexpr int side = 4;                                            // elements of a thread's tile
constexpr int warp_rows = 8;                                       // threads of a warp down the rows
constexpr int warp_columns = 4;                                    // ... and along the columns
constexpr int warps_rows = 2;                                      // warps of a block down the rows
constexpr int warps_columns = 4;                                   // ... and along the columns
constexpr int tile_rows = side * warp_rows * warps_rows;           // 64
constexpr int tile_columns = side * warp_columns * warps_columns;  // 64

__global__ void __launch_bounds__(256)
    transpose_vector_kernel(const float* in, float* out, int rows, int columns) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row_in_tile = side * (warp / warps_columns * warp_rows + lane / warp_columns);
  const int column =
      blockIdx.x * tile_columns + side * (warp % warps_columns * warp_columns + lane % warp_columns);
  if (column >= columns) return;
  for (int row = blockIdx.y * tile_rows + row_in_tile; row < rows; row += gridDim.y * tile_rows) {
    float4 held[side];
#pragma unroll
    for (int k = 0; k < side; ++k) {
      held[k] = *reinterpret_cast<const float4*>(in + std::size_t(row + k) * columns + column);
    }
    float* to = out + std::size_t(column) * rows + row;
    const std::size_t step = rows;
    *reinterpret_cast<float4*>(to) = make_float4(held[0].x, held[1].x, held[2].x, held[3].x);
    *reinterpret_cast<float4*>(to + step) = make_float4(held[0].y, held[1].y, held[2].y, held[3].y);
    *reinterpret_cast<float4*>(to + 2 * step) = make_float4(held[0].z, held[1].z, held[2].z, held[3].z);
    *reinterpret_cast<float4*>(to + 3 * step) = make_float4(held[0].w, held[1].w, held[2].w, held[3].w);
  }
}

}  // namespace

cudaError_t transpose_vector(const float* in, float* out, int rows, int columns, cudaStream_t stream) {
  if (rows < 0 || columns < 0 || rows % side != 0 || columns % side != 0) return cudaErrorInvalidValue;
  if (!aligned(in, sizeof(float4)) || !aligned(out, sizeof(float4))) return cudaErrorInvalidValue;
  if (rows == 0 || columns == 0) return cudaSuccess;
  const dim3 grid(pieces(columns, tile_columns), grid_y(pieces(rows, tile_rows)));
  transpose_vector_kernel<<<grid, 256, 0, stream>>>(in, out, rows, columns);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
