#include "kernels/common/launch.h"
#include "kernels/stencil/stencil.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int tile_x = 32, tile_y = 32, threads_y = 8;

__global__ void __launch_bounds__(tile_x* threads_y)
    stencil_2d_shared_kernel(const float* in, float* out, int rows, int columns, float weight) {
  __shared__ float tile[tile_y + 2][tile_x + 2];
  const int first_x = blockIdx.x * tile_x - 1;  // of the tile, rim included
  const int x = blockIdx.x * tile_x + threadIdx.x;
  for (int tile_row = blockIdx.y; tile_row * tile_y < rows; tile_row += gridDim.y) {
    const int first_y = tile_row * tile_y - 1;
    for (int ty = threadIdx.y; ty < tile_y + 2; ty += threads_y) {
      const float* row = in + std::size_t(max(0, min(rows - 1, first_y + ty))) * columns;
      for (int tx = threadIdx.x; tx < tile_x + 2; tx += tile_x) {
        tile[ty][tx] = row[max(0, min(columns - 1, first_x + tx))];
      }
    }
    __syncthreads();
    for (int ty = threadIdx.y + 1; ty <= tile_y; ty += threads_y) {
      const int tx = threadIdx.x + 1, y = first_y + ty;
      if (y >= rows || x >= columns) continue;
      const float around = ((tile[ty - 1][tx] + tile[ty + 1][tx]) + tile[ty][tx - 1]) + tile[ty][tx + 1];
      out[std::size_t(y) * columns + x] = fmaf(weight, around, (1 - 4 * weight) * tile[ty][tx]);
    }
    __syncthreads();  // the next tile may overwrite this one
  }
}

}  // namespace

cudaError_t stencil_2d_shared(const float* in, float* out, int rows, int columns, float weight,
                              cudaStream_t stream) {
  if (rows < 0 || columns < 0) return cudaErrorInvalidValue;
  if (rows == 0 || columns == 0) return cudaSuccess;
  const dim3 grid(pieces(columns, tile_x), grid_y(pieces(rows, tile_y)));
  stencil_2d_shared_kernel<<<grid, dim3(tile_x, threads_y), 0, stream>>>(in, out, rows, columns, weight);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
