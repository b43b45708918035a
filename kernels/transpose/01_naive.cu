#include "kernels/common/launch.h"
#include "kernels/transpose/transpose.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int block_x = 32, block_y = 8;

__global__ void transpose_naive_kernel(const float* in, float* out, int rows, int columns) {
  const int column = blockIdx.x * block_x + threadIdx.x;
  for (int row = blockIdx.y * block_y + threadIdx.y; row < rows; row += gridDim.y * block_y) {
    if (column < columns) out[std::size_t(column) * rows + row] = in[std::size_t(row) * columns + column];
  }
}

}  // namespace

cudaError_t transpose_naive(const float* in, float* out, int rows, int columns, cudaStream_t stream) {
  if (rows < 0 || columns < 0) return cudaErrorInvalidValue;
  if (rows == 0 || columns == 0) return cudaSuccess;
  const dim3 grid(pieces(columns, block_x), grid_y(pieces(rows, block_y)));
  transpose_naive_kernel<<<grid, dim3(block_x, block_y), 0, stream>>>(in, out, rows, columns);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
