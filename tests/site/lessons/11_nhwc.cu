// The code of chapter 11.
#include <cuda_fp16.h>
#include <mma.h>

#include "claims.h"

using namespace nvcuda;

__global__ void product(const __half* a_tile, const __half* b_tile, float* c_tile, int leading_dimension) {
  // --8<-- [start:tensor_core]
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::load_matrix_sync(a, a_tile, leading_dimension);  // 16 x 16 halves
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
  wmma::load_matrix_sync(b, b_tile, leading_dimension);
  wmma::mma_sync(sum, a, b, sum);  // sum += a * b
  wmma::store_matrix_sync(c_tile, sum, leading_dimension, wmma::mem_row_major);
  // --8<-- [end:tensor_core]
}

int main() {
  const int wide = 24;  // columns from one row to the next
  auto *a = shared_by_both<__half>(16 * wide), *b = shared_by_both<__half>(16 * wide);
  float* c = shared_by_both<float>(16 * wide);
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 16; ++column) {
      a[row * wide + column] = __float2half(row - column);
      b[row * wide + column] = __float2half(column % 3);
    }
  }
  product<<<1, 32>>>(a, b, c, wide);
  CLAIM(all_well());
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 16; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < 16; ++k) sum += (row - k) * (column % 3);
      CLAIM(c[row * wide + column] == sum);
    }
  }
  return broken_claims;
}
