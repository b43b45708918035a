#include <cstddef>

#include "kernels/records/records.h"

namespace workbook::kernels {
namespace {

__global__ void scale_records_kernel(const float* records, int n, int field, float factor, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * records[std::size_t(32) * i + field];
}

}  // namespace

cudaError_t scale_records(const float* records, int n, int field, float factor, float* out,
                          cudaStream_t stream) {
  if (n <= 0) return cudaSuccess;
  constexpr int block = 256;
  scale_records_kernel<<<(n - 1) / block + 1, block, 0, stream>>>(records, n, field, factor, out);
  return cudaGetLastError();
}

}  // namespace workbook::kernels
