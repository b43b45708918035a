// 5.7  Tiled matrix multiply
//
// C = A B. Every number of A is used in n products and every number of B in m, and in this kernel each use is
// a load of its own. 32 x 32 threads that work on a square of C need the same 32 rows of A and the same 32
// columns of B.
//
// TODO matmul_kernel: let a block take a square of A and a square of B into shared memory, use each number of
// them 32 times, and go on to the next two squares. When it works, it takes at most 0.8 of the time, on a GPU 0.68.
// (You may also let fewer threads do several numbers each; `matmul` is yours too.)
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
