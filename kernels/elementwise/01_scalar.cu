#include "kernels/elementwise/vector_add.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int block = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

}  // namespace

cudaError_t vector_add_scalar(const float* a, const float* b, float* c, int n, cudaStream_t stream) {
  if (n < 0) return cudaErrorInvalidValue;
  if (n == 0) return cudaSuccess;
  vector_add_kernel<<<(n - 1) / block + 1, block, 0, stream>>>(a, b, c, n);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
