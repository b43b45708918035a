// right: 64 x 64 numbers a block and 4 x 4 a thread, in registers
#include <cuda_runtime.h>
template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM / TM) * (BN / TN)) matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
  constexpr int threads = (BM / TM) * (BN / TN);
  __shared__ float as[BK][BM + 4], bs[BK][BN];
  const int t = threadIdx.x, tx = t % (BN / TN), ty = t / (BN / TN);
  const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
  float sum[TM][TN] = {};
  for (int l = 0; l < k; l += BK) {
    for (int p = t; p < BM * BK; p += threads) {
      const int i = p / BK, j = p % BK;
      as[j][i] = r0 + i < m && l + j < k ? a[size_t(r0 + i) * k + l + j] : 0.0f;
    }
    for (int p = t; p < BK * BN; p += threads) {
      const int i = p / BN, j = p % BN;
      bs[i][j] = l + i < k && c0 + j < n ? b[size_t(l + i) * n + c0 + j] : 0.0f;
    }
    __syncthreads();
    #pragma unroll
    for (int q = 0; q < BK; ++q) {
      float x[TM], y[TN];
      #pragma unroll
      for (int i = 0; i < TM; ++i) x[i] = as[q][ty * TM + i];
      #pragma unroll
      for (int j = 0; j < TN; ++j) y[j] = bs[q][tx + j * (BN / TN)];
      #pragma unroll
      for (int i = 0; i < TM; ++i)
        #pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] = fmaf(x[i], y[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) {
      const int r = r0 + ty * TM + i, cc = c0 + tx + j * (BN / TN);
      if (r < m && cc < n) c[size_t(r) * n + cc] = sum[i][j];
    }
}
void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
  matmul_kernel<64, 64, 16, 4, 4><<<dim3((n - 1) / 64 + 1, (m - 1) / 64 + 1), 256>>>(d_a, d_b, d_c, m, n, k);
}
