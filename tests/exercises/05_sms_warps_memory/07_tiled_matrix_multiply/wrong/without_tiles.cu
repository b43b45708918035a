// wrong: every use is a load from global memory
// verdict: too slow
// code: bound.naive
// message: how many numbers does a thread load
#include <cuda_runtime.h>

constexpr int side = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * side + threadIdx.x, row = blockIdx.y * side + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int l = 0; l < k; ++l) sum += a[row * k + l] * b[l * n + column];
  c[row * n + column] = sum;
}

// d_c[m x n] = d_a[m x k] * d_b[k x n], each row by row; all sizes from 1 up, no matrix of more than 2^30
// numbers. Does not wait for the device.
void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
  const dim3 block(side, side), grid((n - 1) / side + 1, (m - 1) / side + 1);
  matmul_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
}
