#include "kernels/common/launch.h"
#include "kernels/elementwise/vector_add.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int block = 256;
constexpr int loads = 2;  // independent 16-byte loads of one thread from each array

__device__ float4 sum_of(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// Vectors of four, and the last n % 4 elements one by one in the last block.
__global__ void __launch_bounds__(block)
    vector_add_vector_kernel(const float* a, const float* b, float* c, int n) {
  const auto* from_a = reinterpret_cast<const float4*>(a);
  const auto* from_b = reinterpret_cast<const float4*>(b);
  auto* to = reinterpret_cast<float4*>(c);
  const unsigned vectors = n / 4, first = blockIdx.x * block * loads + threadIdx.x;
  float4 held_a[loads], held_b[loads];
#pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (first + k * block >= vectors) continue;
    held_a[k] = from_a[first + k * block];
    held_b[k] = from_b[first + k * block];
  }
#pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (first + k * block < vectors) to[first + k * block] = sum_of(held_a[k], held_b[k]);
  }
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x < n % 4) {
    const unsigned i = 4 * vectors + threadIdx.x;
    c[i] = a[i] + b[i];
  }
}

}  // namespace

cudaError_t vector_add_vector(const float* a, const float* b, float* c, int n, cudaStream_t stream) {
  if (n < 0) return cudaErrorInvalidValue;
  if (n == 0) return cudaSuccess;
  if (!aligned(a, 16) || !aligned(b, 16) || !aligned(c, 16)) return vector_add_scalar(a, b, c, n, stream);
  vector_add_vector_kernel<<<pieces(n, 4 * block * loads), block, 0, stream>>>(a, b, c, n);
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
