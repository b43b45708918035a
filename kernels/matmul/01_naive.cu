#include "kernels/common/launch.h"
#include "kernels/matmul/matmul.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int side = 16;

__global__ void matmul_naive_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * side + threadIdx.x;
  for (int row = blockIdx.y * side + threadIdx.y; row < m; row += gridDim.y * side) {
    if (column >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[std::size_t(row) * k + i] * b[std::size_t(i) * n + column];
    c[std::size_t(row) * n + column] = sum;
  }
}

}  // namespace

cudaError_t matmul_naive(const float* a, const float* b, float* c, int m, int n, int k, cudaStream_t stream) {
  if (m < 0 || n < 0 || k < 0) return cudaErrorInvalidValue;
  if (m == 0 || n == 0) return cudaSuccess;
  const dim3 grid(pieces(n, side), grid_y(pieces(m, side)));
  matmul_naive_kernel<<<grid, dim3(side, side), 0, stream>>>(a, b, c, m, n, k);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
