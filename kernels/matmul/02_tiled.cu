#include "kernels/common/launch.h"
#include "kernels/matmul/matmul.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int side = 32;

__global__ void __launch_bounds__(side* side)
    matmul_tiled_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float of_a[side][side], of_b[side][side];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * side + x;
  for (int tile_row = blockIdx.y; tile_row * side < m; tile_row += gridDim.y) {
    const int row = tile_row * side + y;
    float sum = 0;
    for (int first = 0; first < k; first += side) {
      of_a[y][x] = row < m && first + x < k ? a[std::size_t(row) * k + first + x] : 0.0f;
      of_b[y][x] = first + y < k && column < n ? b[std::size_t(first + y) * n + column] : 0.0f;
      __syncthreads();
      for (int i = 0; i < side; ++i) sum += of_a[y][i] * of_b[i][x];
      __syncthreads();
    }
    if (row < m && column < n) c[std::size_t(row) * n + column] = sum;
  }
}

}  // namespace

cudaError_t matmul_tiled(const float* a, const float* b, float* c, int m, int n, int k, cudaStream_t stream) {
  if (m < 0 || n < 0 || k < 0) return cudaErrorInvalidValue;
  if (m == 0 || n == 0) return cudaSuccess;
  const dim3 grid(pieces(n, side), grid_y(pieces(m, side)));
  matmul_tiled_kernel<<<grid, dim3(side, side), 0, stream>>>(a, b, c, m, n, k);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
