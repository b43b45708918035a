// wrong: keeps the square of B turned round, without padding: 32 lanes read one bank
// verdict: wrong
// code: bank_conflicts
// message: passes for each read
// message: Which index of a tile changes
// seen: simulated
#include <cuda_runtime.h>

constexpr int side = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float of_a[side][side], of_b[side][side];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * side + x, row = blockIdx.y * side + y;
  float sum = 0;
  for (int first = 0; first < k; first += side) {
    of_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0.0f;
    of_b[x][y] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;
    __syncthreads();
    for (int l = 0; l < side; ++l) sum += of_a[y][l] * of_b[x][l];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

// d_c[m x n] = d_a[m x k] * d_b[k x n], each row by row; all sizes from 1 up, no matrix of more than 2^30
// numbers. Does not wait for the device.
void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
  const dim3 block(side, side), grid((n - 1) / side + 1, (m - 1) / side + 1);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
}
