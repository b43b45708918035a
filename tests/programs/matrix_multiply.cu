// C = A B for sizes that fit no tile: straight, tiled in shared memory, and four results a thread.
#include <cmath>
#include <cstdio>
#include <vector>

#define TILE 16

__global__ void straight(const float* A, const float* B, float* C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}

__global__ void tiled(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int m = 0; m < (K + TILE - 1) / TILE; ++m) {
    int ka = m * TILE + tx, kb = m * TILE + ty;
    As[ty][tx] = (row < M && ka < K) ? A[row * K + ka] : 0.0f;
    Bs[ty][tx] = (kb < K && col < N) ? B[kb * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}

// Each thread computes a column of four results, so that one value of B serves four products.
__global__ void four_each(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[4 * TILE][TILE + 1];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * TILE + tx, top = blockIdx.y * 4 * TILE;
  float sum[4] = {0, 0, 0, 0};
  for (int k0 = 0; k0 < K; k0 += TILE) {
    for (int r = 0; r < 4; ++r) {
      int row = top + r * TILE + ty;
      As[r * TILE + ty][tx] = (row < M && k0 + tx < K) ? A[row * K + k0 + tx] : 0.0f;
    }
    Bs[ty][tx] = (k0 + ty < K && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) {
      float b = Bs[k][tx];
#pragma unroll
      for (int r = 0; r < 4; ++r) sum[r] += As[r * TILE + ty][k] * b;
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) {
    int row = top + r * TILE + ty;
    if (row < M && col < N) C[row * N + col] = sum[r];
  }
}

int main() {
  const int M = 75, N = 93, K = 61;
  std::vector<float> A(M * K), B(K * N), C(M * N), expected(M * N);
  for (int i = 0; i < M * K; ++i) A[i] = (i % 13) - 6;
  for (int i = 0; i < K * N; ++i) B[i] = (i % 7) * 0.25f;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < K; ++k) expected[i * N + j] += A[i * K + k] * B[k * N + j];

  float *dA, *dB, *dC;
  cudaMalloc(&dA, A.size() * sizeof(float));
  cudaMalloc(&dB, B.size() * sizeof(float));
  cudaMalloc(&dC, C.size() * sizeof(float));
  cudaMemcpy(dA, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dB, B.data(), B.size() * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(TILE, TILE);
  int failures = 0;
  for (int version = 0; version < 3; ++version) {
    cudaMemset(dC, 0xff, C.size() * sizeof(float));
    dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    if (version == 0) straight<<<grid, block>>>(dA, dB, dC, M, N, K);
    if (version == 1) tiled<<<grid, block>>>(dA, dB, dC, M, N, K);
    if (version == 2) {
      grid.y = (M + 4 * TILE - 1) / (4 * TILE);
      four_each<<<grid, block>>>(dA, dB, dC, M, N, K);
    }
    cudaError_t error = cudaMemcpy(C.data(), dC, C.size() * sizeof(float), cudaMemcpyDeviceToHost);
    double worst = 0, trace = 0;
    for (int i = 0; i < M * N; ++i) worst = std::fmax(worst, std::fabs(C[i] - expected[i]));
    for (int i = 0; i < M; ++i) trace += C[i * N + i];
    std::printf("%-10s %s  greatest error %.3f  trace %.2f\n",
                version == 0   ? "straight"
                : version == 1 ? "tiled"
                               : "four each",
                cudaGetErrorName(error), worst, trace);
    failures += worst != 0;
  }
  cudaFree(dA);
  cudaFree(dB);
  cudaFree(dC);
  return failures;
}
