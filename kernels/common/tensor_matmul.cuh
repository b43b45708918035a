// C = A B on tensor cores: halves in, sums in float, float or half out. For the matrix multiply and the 1x1
// convolution, whose weights lie as B turned.
//
// A block of 8 warps computes 128 x 128 of C, a warp 64 x 32 of it as 4 x 2 pieces of 16 x 16. Of K it takes
// 32 at a time through shared memory, in two buffers: while the tensor cores work on one, the next is on its
// way in registers. Rows of the tiles have 8 halves of padding, so that 8 rows lie in different banks.
#pragma once

#include <cuda_fp16.h>
#include <mma.h>

#include "kernels/common/launch.h"

namespace workbook::kernels::tensor {

constexpr int tile = 128, depth = 32, threads = 256;
constexpr int padded_depth = depth + 8, padded_tile = tile + 8;
constexpr int tile_halves = tile * padded_depth;  // of A, and of B either way round (32 x 136 is less)
constexpr int vectors = tile * depth / 8 / threads;

/// Rows without gaps; `by_eight`: rows of a multiple of eight halves, aligned to 16 bytes.
struct Halves {
  const __half* at;
  int rows, columns;
  bool by_eight;
};

inline Halves halves(const __half* at, int rows, int columns) {
  return {at, rows, columns, columns % 8 == 0 && aligned(at, 16)};
}

/// Eight halves of a row, zeros where the matrix has none.
__device__ inline uint4 eight(const Halves& m, int row, int column) {
  if (row >= m.rows || column >= m.columns) return make_uint4(0, 0, 0, 0);
  const __half* from = m.at + std::size_t(row) * m.columns + column;
  if (m.by_eight) return *reinterpret_cast<const uint4*>(from);
  unsigned parts[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const __half zero = __ushort_as_half(0);
    const __half low = column + 2 * k < m.columns ? from[2 * k] : zero;
    const __half high = column + 2 * k + 1 < m.columns ? from[2 * k + 1] : zero;
    parts[k] = __half_as_ushort(low) | unsigned(__half_as_ushort(high)) << 16;
  }
  return make_uint4(parts[0], parts[1], parts[2], parts[3]);
}

struct Fetched {
  uint4 a[vectors], b[vectors];
};

/// `b_turned`: B is given as N x K, and lies in shared memory like A.
template <bool b_turned>
__device__ void fetch(Fetched& held, const Halves& a, const Halves& b, int row, int column, int first) {
#pragma unroll
  for (int i = 0; i < vectors; ++i) {
    const int t = threadIdx.x + i * threads;
    held.a[i] = eight(a, row + t / (depth / 8), first + t % (depth / 8) * 8);
    held.b[i] = b_turned ? eight(b, column + t / (depth / 8), first + t % (depth / 8) * 8)
                         : eight(b, first + t / (tile / 8), column + t % (tile / 8) * 8);
  }
}

template <bool b_turned>
__device__ void put(__half* of_a, __half* of_b, const Fetched& held) {
#pragma unroll
  for (int i = 0; i < vectors; ++i) {
    const int t = threadIdx.x + i * threads;
    const int along_k = t / (depth / 8) * padded_depth + t % (depth / 8) * 8;
    *reinterpret_cast<uint4*>(of_a + along_k) = held.a[i];
    const int in_b = b_turned ? along_k : t / (tile / 8) * padded_tile + t % (tile / 8) * 8;
    *reinterpret_cast<uint4*>(of_b + in_b) = held.b[i];
  }
}

using Sum = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float>;

template <bool b_turned>
__device__ void multiply(const __half* of_a, const __half* of_b, int warp_row, int warp_column,
                         Sum (&sum)[4][2]) {
  using namespace nvcuda;
  using Order = std::conditional_t<b_turned, wmma::col_major, wmma::row_major>;
#pragma unroll
  for (int k = 0; k < depth; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a[4];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, Order> b[2];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      wmma::load_matrix_sync(a[i], of_a + (warp_row + 16 * i) * padded_depth + k, padded_depth);
    }
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      const int at = warp_column + 16 * j;
      const __half* from = b_turned ? of_b + at * padded_depth + k : of_b + k * padded_tile + at;
      wmma::load_matrix_sync(b[j], from, b_turned ? padded_depth : padded_tile);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], a[i], b[j], sum[i][j]);
    }
  }
}

__device__ inline void store_eight(float* to, const float (&v)[8]) {
  reinterpret_cast<float4*>(to)[0] = make_float4(v[0], v[1], v[2], v[3]);
  reinterpret_cast<float4*>(to)[1] = make_float4(v[4], v[5], v[6], v[7]);
}
__device__ inline void store_eight(__half* to, const float (&v)[8]) {
  __half2 pairs[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) pairs[k] = __floats2half2_rn(v[2 * k], v[2 * k + 1]);
  *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(pairs);
}
__device__ inline void store_one(float* to, float v) {
  *to = v;
}
__device__ inline void store_one(__half* to, float v) {
  *to = __float2half(v);
}

/// One piece of 16 x 16 by way of the warp's own part of shared memory: a fragment does not say where its
/// numbers belong.
template <class Out>
__device__ void store(const Sum& sum, float* own, Out* c, int rows, int columns, bool by_eight, int row,
                      int column) {
  constexpr int pitch = 20;
  __syncwarp();
  nvcuda::wmma::store_matrix_sync(own, sum, pitch, nvcuda::wmma::mem_row_major);
  __syncwarp();
  const int lane = threadIdx.x % 32, r = row + lane / 2, first = column + lane % 2 * 8;
  if (r >= rows || first >= columns) return;
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = own[lane / 2 * pitch + lane % 2 * 8 + k];
  Out* to = c + std::size_t(r) * columns + first;
  if (by_eight) {
    store_eight(to, v);
  } else {
    for (int k = 0; k < 8 && first + k < columns; ++k) store_one(to + k, v[k]);
  }
}

template <bool b_turned, class Out>
__global__ void __launch_bounds__(threads, 2)
    matmul_kernel(Halves a, Halves b, Out* c, int n, bool c_by_eight) {
  __shared__ __align__(32) __half tiles[2][2][tile_halves];
  const int warp = threadIdx.x / 32, warp_row = warp / 4 * 64, warp_column = warp % 4 * 32;
  const int column = blockIdx.x * tile;
  for (int row = blockIdx.y * tile; row < a.rows; row += gridDim.y * tile) {
    Sum sum[4][2];
    for (auto& line : sum) {
      for (auto& piece : line) nvcuda::wmma::fill_fragment(piece, 0.0f);
    }
    Fetched held;
    fetch<b_turned>(held, a, b, row, column, 0);
    int buffer = 0;
    for (int first = 0; first < a.columns; first += depth, buffer ^= 1) {
      put<b_turned>(tiles[buffer][0], tiles[buffer][1], held);
      __syncthreads();  // and nobody is still at the other buffer's step before last
      if (first + depth < a.columns) fetch<b_turned>(held, a, b, row, column, first + depth);
      multiply<b_turned>(tiles[buffer][0], tiles[buffer][1], warp_row, warp_column, sum);
    }
    __syncthreads();
    auto* own = reinterpret_cast<float*>(&tiles[0][0][0]) + warp * 16 * 20;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        store(sum[i][j], own, c, a.rows, n, c_by_eight, row + warp_row + 16 * i,
              column + warp_column + 16 * j);
      }
    }
    __syncthreads();  // the next tile may overwrite this one
  }
}

/// A is m x k, B is k x n (or n x k, turned), C is m x n. The sizes are checked by the caller.
template <bool b_turned, class Out>
cudaError_t matmul(const __half* a, const __half* b, Out* c, int m, int n, int k, cudaStream_t stream) {
  const Halves on_a = halves(a, m, k), on_b = b_turned ? halves(b, n, k) : halves(b, k, n);
  const dim3 grid(pieces(n, tile), grid_y(pieces(m, tile)));
  matmul_kernel<b_turned><<<grid, threads, 0, stream>>>(on_a, on_b, c, n, n % 8 == 0 && aligned(c, 16));
  return cudaGetLastError();
}

}  // namespace workbook::kernels::tensor
