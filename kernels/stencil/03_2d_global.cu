#include "kernels/common/launch.h"
#include "kernels/stencil/stencil.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int block_x = 32, block_y = 8;

__global__ void stencil_2d_global_kernel(const float* in, float* out, int rows, int columns, float weight) {
  const int x = blockIdx.x * block_x + threadIdx.x;
  if (x >= columns) return;
  const int left = max(x - 1, 0), right = min(x + 1, columns - 1);
  for (int y = blockIdx.y * block_y + threadIdx.y; y < rows; y += gridDim.y * block_y) {
    const float* here = in + std::size_t(y) * columns;
    const float* above = in + std::size_t(max(y - 1, 0)) * columns;
    const float* below = in + std::size_t(min(y + 1, rows - 1)) * columns;
    const float around = ((above[x] + below[x]) + here[left]) + here[right];
    out[std::size_t(y) * columns + x] = fmaf(weight, around, (1 - 4 * weight) * here[x]);
  }
}

}  // namespace

cudaError_t stencil_2d_global(const float* in, float* out, int rows, int columns, float weight,
                              cudaStream_t stream) {
  if (rows < 0 || columns < 0) return cudaErrorInvalidValue;
  if (rows == 0 || columns == 0) return cudaSuccess;
  const dim3 grid(pieces(columns, block_x), grid_y(pieces(rows, block_y)));
  stencil_2d_global_kernel<<<grid, dim3(block_x, block_y), 0, stream>>>(in, out, rows, columns, weight);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
