// Matrix product on tensor cores: half in, float out, one warp a tile of 16 x 16.
#include <cuda_fp16.h>
#include <mma.h>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace nvcuda;

const int M = 64, N = 96, K = 80;

__global__ void product(const half* a, const half* b, float* c, int m, int n, int k, float alpha,
                        float beta) {
  int warp_m = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  int warp_n = blockIdx.y * blockDim.y + threadIdx.y;
  if (warp_m * 16 >= m || warp_n * 16 >= n) return;

  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, fc;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + warp_m * 16 * k + i, k);
    wmma::load_matrix_sync(fb, b + warp_n * 16 * k + i, k);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  float* place = c + warp_m * 16 * n + warp_n * 16;
  wmma::load_matrix_sync(fc, place, n, wmma::mem_row_major);
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = alpha * sum.x[i] + beta * fc.x[i];
  wmma::store_matrix_sync(place, fc, n, wmma::mem_row_major);
}

int main() {
  std::vector<half> a(M * K), b(K * N);
  std::vector<float> c(M * N), expected(M * N);
  for (int i = 0; i < M * K; ++i) a[i] = __float2half((float)(i % 5) - 2.0f);
  for (int i = 0; i < K * N; ++i) b[i] = __float2half((float)(i % 9) * 0.5f);
  for (int i = 0; i < M * N; ++i) c[i] = i % 4;
  const float alpha = 2.0f, beta = 0.5f;
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      float s = 0;
      for (int l = 0; l < K; ++l) s += __half2float(a[i * K + l]) * __half2float(b[j * K + l]);
      expected[i * N + j] = alpha * s + beta * c[i * N + j];
    }
  }
  half *da, *db;
  float* dc;
  cudaMalloc(&da, a.size() * sizeof(half));
  cudaMalloc(&db, b.size() * sizeof(half));
  cudaMalloc(&dc, c.size() * sizeof(float));
  cudaMemcpy(da, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(64, 2);  // two warps along m, two along n
  dim3 grid((M / 16 * 32 + block.x - 1) / block.x, (N / 16 + block.y - 1) / block.y);
  product<<<grid, block>>>(da, db, dc, M, N, K, alpha, beta);
  cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  double sum = 0;
  for (int i = 0; i < M * N; ++i) {
    wrong += std::fabs(c[i] - expected[i]) > 1e-3f * std::fabs(expected[i]);
    sum += c[i];
  }
  std::printf("%d x %d x %d: %d of %d results wrong, their sum is %.1f, c[1][2] = %.2f\n", M, N, K, wrong,
              M * N, sum, c[N + 2]);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  return wrong != 0;
}
