#include "kernels/layout/layout.h"
#include "kernels/layout/shape.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int side = 32, threads_y = 8;

// Each image is a matrix of rows x columns, to be transposed. The grid's x counts tiles along the columns
// times images, its y tiles down the rows.
template <class T>
__global__ void __launch_bounds__(side* threads_y)
    layout_tile_kernel(const T* in, T* out, int rows, int columns, int tiles_x) {
  __shared__ T tile[side][side + 1];
  const std::size_t image = std::size_t(blockIdx.x / tiles_x) * rows * columns;
  const int first_column = blockIdx.x % tiles_x * side;
  for (int tile_y = blockIdx.y; tile_y * side < rows; tile_y += gridDim.y) {
    const int first_row = tile_y * side, column = first_column + threadIdx.x;
    for (int y = threadIdx.y; y < side; y += threads_y) {
      if (first_row + y < rows && column < columns) {
        tile[y][threadIdx.x] = in[image + std::size_t(first_row + y) * columns + column];
      }
    }
    __syncthreads();
    const int row = first_row + threadIdx.x;
    for (int x = threadIdx.y; x < side; x += threads_y) {
      if (row < rows && first_column + x < columns) {
        out[image + std::size_t(first_column + x) * rows + row] = tile[threadIdx.x][x];
      }
    }
    __syncthreads();  // the next tile may overwrite this one
  }
}

template <class T>
cudaError_t launch(const T* in, T* out, int images, int rows, int columns, cudaStream_t stream) {
  const int tiles_x = pieces(columns, side);
  const std::size_t blocks = std::size_t(tiles_x) * images;
  if (blocks > most_blocks) return cudaErrorInvalidValue;
  const dim3 grid(static_cast<unsigned>(blocks), grid_y(pieces(rows, side)));
  layout_tile_kernel<<<grid, dim3(side, threads_y), 0, stream>>>(in, out, rows, columns, tiles_x);
  return cudaGetLastError();
}

}  // namespace

template <class T>
cudaError_t nchw_to_nhwc_tile(const T* in, T* out, int n, int c, int h, int w, cudaStream_t stream) {
  const LayoutShape shape = layout_shape(n, c, h, w);
  if (!shape.valid) return cudaErrorInvalidValue;
  return shape.empty() ? cudaSuccess : launch(in, out, shape.images, shape.channels, shape.pixels, stream);
}

template <class T>
cudaError_t nhwc_to_nchw_tile(const T* in, T* out, int n, int c, int h, int w, cudaStream_t stream) {
  const LayoutShape shape = layout_shape(n, c, h, w);
  if (!shape.valid) return cudaErrorInvalidValue;
  return shape.empty() ? cudaSuccess : launch(in, out, shape.images, shape.pixels, shape.channels, stream);
}

template cudaError_t nchw_to_nhwc_tile(const float*, float*, int, int, int, int, cudaStream_t);
template cudaError_t nchw_to_nhwc_tile(const __half*, __half*, int, int, int, int, cudaStream_t);
template cudaError_t nhwc_to_nchw_tile(const float*, float*, int, int, int, int, cudaStream_t);
template cudaError_t nhwc_to_nchw_tile(const __half*, __half*, int, int, int, int, cudaStream_t);

}  // namespace workbook::kernels::rungs
