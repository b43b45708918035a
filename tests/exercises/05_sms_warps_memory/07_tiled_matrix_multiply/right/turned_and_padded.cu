// right: keeps the square of A turned round, in rows of 33
#include <cuda_runtime.h>

constexpr int side = 32;
constexpr int rows = 8;  // threads along y: each does side / rows numbers

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float of_a[side][side + 1], of_b[side][side];
  const int x = threadIdx.x, column = blockIdx.x * side + x, top = blockIdx.y * side;
  float sum[side / rows] = {};
  for (int first = 0; first < k; first += side) {
    for (int y = threadIdx.y; y < side; y += rows) {
      of_a[x][y] = top + y < m && first + x < k ? a[(top + y) * k + first + x] : 0.0f;
      of_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;
    }
    __syncthreads();
    for (int l = 0; l < side; ++l)
      for (int s = 0; s < side / rows; ++s) sum[s] += of_a[l][threadIdx.y + s * rows] * of_b[l][x];
    __syncthreads();
  }
  for (int s = 0; s < side / rows; ++s) {
    const int row = top + threadIdx.y + s * rows;
    if (row < m && column < n) c[row * n + column] = sum[s];
  }
}

// d_c[m x n] = d_a[m x k] * d_b[k x n], each row by row; all sizes from 1 up, no matrix of more than 2^30
// numbers. Does not wait for the device.
void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
  const dim3 block(side, rows), grid((n - 1) / side + 1, (m - 1) / side + 1);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
}
