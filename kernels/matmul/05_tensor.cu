#include "kernels/common/tensor_matmul.cuh"
#include "kernels/matmul/matmul.h"

namespace workbook::kernels::rungs {

cudaError_t matmul_tensor(const __half* a, const __half* b, float* c, int m, int n, int k,
                          cudaStream_t stream) {
  if (m < 0 || n < 0 || k < 0) return cudaErrorInvalidValue;
  if (m == 0 || n == 0) return cudaSuccess;
  return tensor::matmul<false>(a, b, c, m, n, k, stream);
}

}  // namespace workbook::kernels::rungs
