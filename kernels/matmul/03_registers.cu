#include "kernels/common/launch.h"
#include "kernels/matmul/matmul.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int tile = 128;  // rows and columns of C a block computes
constexpr int depth = 16;  // of K at a time
constexpr int threads = 256;
constexpr int per_thread = tile * depth / threads / 4;  // vectors of four a thread loads from each matrix

struct Matrix {
  const float* at;
  int rows, columns;
  bool by_four;  // rows of a multiple of four, aligned: whole vectors
};

// Four numbers of a row, zeros where the matrix has none.
__device__ float4 four(const Matrix& m, int row, int column) {
  if (row >= m.rows || column >= m.columns) return make_float4(0, 0, 0, 0);
  const float* from = m.at + std::size_t(row) * m.columns + column;
  if (m.by_four) return *reinterpret_cast<const float4*>(from);
  const int left = m.columns - column;
  return make_float4(from[0], left > 1 ? from[1] : 0, left > 2 ? from[2] : 0, left > 3 ? from[3] : 0);
}

struct Fetched {
  float4 a[per_thread], b[per_thread];
};

__device__ void fetch(Fetched& held, const Matrix& a, const Matrix& b, int row, int column, int first) {
#pragma unroll
  for (int i = 0; i < per_thread; ++i) {
    const int t = threadIdx.x + i * threads;
    held.a[i] = four(a, row + t / (depth / 4), first + t % (depth / 4) * 4);
    held.b[i] = four(b, first + t / (tile / 4), column + t % (tile / 4) * 4);
  }
}

// A lies turned, so that a thread's numbers of one step of K lie side by side in both tiles.
struct Tiles {
  float a[depth][tile + 4], b[depth][tile];
};

__device__ void put(Tiles& tiles, const Fetched& held) {
#pragma unroll
  for (int i = 0; i < per_thread; ++i) {
    const int t = threadIdx.x + i * threads, row = t / (depth / 4), k = t % (depth / 4) * 4;
    tiles.a[k][row] = held.a[i].x;
    tiles.a[k + 1][row] = held.a[i].y;
    tiles.a[k + 2][row] = held.a[i].z;
    tiles.a[k + 3][row] = held.a[i].w;
    *reinterpret_cast<float4*>(&tiles.b[t / (tile / 4)][t % (tile / 4) * 4]) = held.b[i];
  }
}

// A thread has 8 x 8 sums: rows y, y + 64 and columns x, x + 64 of the tile, four of each.
__device__ void multiply(const Tiles& tiles, int y, int x, float (&sum)[8][8]) {
#pragma unroll
  for (int k = 0; k < depth; ++k) {
    float a[8], b[8];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      *reinterpret_cast<float4*>(a + 4 * half) = *reinterpret_cast<const float4*>(&tiles.a[k][y + 64 * half]);
      *reinterpret_cast<float4*>(b + 4 * half) = *reinterpret_cast<const float4*>(&tiles.b[k][x + 64 * half]);
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
      for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
    }
  }
}

__device__ void store(float* c, int m, int n, bool by_four, int row, int column, const float (&sum)[8][8]) {
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int r = row + i % 4 + 64 * (i / 4);
    if (r >= m) continue;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int first = column + 64 * half;
      float* to = c + std::size_t(r) * n + first;
      const float* from = sum[i] + 4 * half;
      if (by_four && first < n) {
        *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
      } else {
        for (int j = 0; j < 4 && first + j < n; ++j) to[j] = from[j];
      }
    }
  }
}

__global__ void __launch_bounds__(threads, 2)
    matmul_registers_kernel(Matrix a, Matrix b, float* c, bool c_by_four) {
  __shared__ Tiles tiles;
  const int y = threadIdx.x / 16 * 4, x = threadIdx.x % 16 * 4;
  const int column = blockIdx.x * tile;
  for (int row = blockIdx.y * tile; row < a.rows; row += gridDim.y * tile) {
    float sum[8][8] = {};
    Fetched held;
    fetch(held, a, b, row, column, 0);
    for (int first = 0; first < a.columns; first += depth) {
      put(tiles, held);
      __syncthreads();
      if (first + depth < a.columns) fetch(held, a, b, row, column, first + depth);  // on its way meanwhile
      multiply(tiles, y, x, sum);
      __syncthreads();
    }
    store(c, a.rows, b.columns, c_by_four, row + y, column + x, sum);
  }
}

}  // namespace

cudaError_t matmul_registers(const float* a, const float* b, float* c, int m, int n, int k,
                             cudaStream_t stream) {
  if (m < 0 || n < 0 || k < 0) return cudaErrorInvalidValue;
  if (m == 0 || n == 0) return cudaSuccess;
  const Matrix on_a{a, m, k, k % 4 == 0 && aligned(a, 16)}, on_b{b, k, n, n % 4 == 0 && aligned(b, 16)};
  const dim3 grid(pieces(n, tile), grid_y(pieces(m, tile)));
  matmul_registers_kernel<<<grid, threads, 0, stream>>>(on_a, on_b, c, n % 4 == 0 && aligned(c, 16));
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
