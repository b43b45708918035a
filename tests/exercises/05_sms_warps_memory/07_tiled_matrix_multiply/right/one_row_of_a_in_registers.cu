// right: each thread does two columns and four rows of a 32 x 64 piece of C
#include <cuda_runtime.h>

constexpr int side = 32;
constexpr int rows = 8;  // threads along y: each does side / rows numbers

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float of_a[side][side], of_b[side][2 * side];
  const int x = threadIdx.x, left = blockIdx.x * 2 * side, top = blockIdx.y * side;
  float sum[side / rows][2] = {};
  for (int first = 0; first < k; first += side) {
    for (int y = threadIdx.y; y < side; y += rows) {
      of_a[y][x] = top + y < m && first + x < k ? a[(top + y) * k + first + x] : 0.0f;
      for (int h = x; h < 2 * side; h += side)
        of_b[y][h] = first + y < k && left + h < n ? b[(first + y) * n + left + h] : 0.0f;
    }
    __syncthreads();
    for (int l = 0; l < side; ++l) {
      const float b0 = of_b[l][x], b1 = of_b[l][x + side];
      for (int s = 0; s < side / rows; ++s) {
        const float a0 = of_a[threadIdx.y + s * rows][l];
        sum[s][0] += a0 * b0;
        sum[s][1] += a0 * b1;
      }
    }
    __syncthreads();
  }
  for (int s = 0; s < side / rows; ++s)
    for (int h = 0; h < 2; ++h) {
      const int row = top + threadIdx.y + s * rows, column = left + x + h * side;
      if (row < m && column < n) c[row * n + column] = sum[s][h];
    }
}

// d_c[m x n] = d_a[m x k] * d_b[k x n], each row by row; all sizes from 1 up, no matrix of more than 2^30
// numbers. Does not wait for the device.
void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
  const dim3 block(side, rows), grid((n - 1) / (2 * side) + 1, (m - 1) / side + 1);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
}
