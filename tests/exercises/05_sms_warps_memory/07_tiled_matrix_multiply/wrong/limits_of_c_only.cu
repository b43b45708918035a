// wrong: asks for m and n, and never for k
// verdict: wrong
// message: and b has 2368 elements
// message: Which of the three sizes ends here
#include <cuda_runtime.h>

constexpr int side = 32;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float of_a[side][side], of_b[side][side];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * side + x, row = blockIdx.y * side + y;
  float sum = 0;
  for (int first = 0; first < k; first += side) {
    of_a[y][x] = row < m ? a[row * k + first + x] : 0.0f;
    of_b[y][x] = column < n ? b[(first + y) * n + column] : 0.0f;
    __syncthreads();
    for (int l = 0; l < side; ++l) sum += of_a[y][l] * of_b[l][x];
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
