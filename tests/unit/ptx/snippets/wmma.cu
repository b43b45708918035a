#include <mma.h>
using namespace nvcuda;
__global__ void wm(const __half* a, const __half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> A;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> B;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> C;
  wmma::fill_fragment(C, 0.f);
  wmma::load_matrix_sync(A, a, 16);
  wmma::load_matrix_sync(B, b, 16);
  wmma::mma_sync(C, A, B, C);
  wmma::store_matrix_sync(c, C, 16, wmma::mem_row_major);
}
