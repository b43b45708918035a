#include <mma.h>

#include "kernels/common/launch.h"
#include "kernels/matmul/matmul.h"

namespace workbook::kernels::rungs {
namespace {

using namespace nvcuda;

constexpr int warps = 4;       // of a block, side by side along the columns
constexpr int pitch = 16 + 8;  // rows of the staged pieces

// 16 x 16 halves of a matrix into shared memory, zeros where it has none: the sizes need not be multiples
// of 16.
__device__ void stage(__half* to, const __half* from, int rows, int columns, int row, int column) {
  for (int i = threadIdx.x % 32; i < 256; i += 32) {
    const int r = row + i / 16, c = column + i % 16;
    to[i / 16 * pitch + i % 16] =
        r < rows && c < columns ? from[std::size_t(r) * columns + c] : __float2half(0.0f);
  }
}

__global__ void matmul_wmma_kernel(const __half* a, const __half* b, float* c, int m, int n, int k) {
  __shared__ __align__(32) __half of_a[warps][16 * pitch], of_b[warps][16 * pitch];
  __shared__ __align__(32) float of_c[warps][16 * 16];
  const int warp = threadIdx.x / 32, column = (blockIdx.x * warps + warp) * 16;
  if (column >= n) return;
  for (int row = blockIdx.y * 16; row < m; row += gridDim.y * 16) {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int first = 0; first < k; first += 16) {
      __syncwarp();
      stage(of_a[warp], a, m, k, row, first);
      stage(of_b[warp], b, k, n, first, column);
      __syncwarp();
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> piece_a;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> piece_b;
      wmma::load_matrix_sync(piece_a, of_a[warp], pitch);
      wmma::load_matrix_sync(piece_b, of_b[warp], pitch);
      wmma::mma_sync(sum, piece_a, piece_b, sum);
    }
    wmma::store_matrix_sync(of_c[warp], sum, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x % 32; i < 256; i += 32) {
      const int r = row + i / 16, col = column + i % 16;
      if (r < m && col < n) c[std::size_t(r) * n + col] = of_c[warp][i];
    }
  }
}

}  // namespace

cudaError_t matmul_wmma(const __half* a, const __half* b, float* c, int m, int n, int k,
                        cudaStream_t stream) {
  if (m < 0 || n < 0 || k < 0) return cudaErrorInvalidValue;
  if (m == 0 || n == 0) return cudaSuccess;
  const dim3 grid(pieces(n, 16 * warps), grid_y(pieces(m, 16)));
  matmul_wmma_kernel<<<grid, 32 * warps, 0, stream>>>(a, b, c, m, n, k);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
