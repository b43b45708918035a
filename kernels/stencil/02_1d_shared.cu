#include "kernels/common/launch.h"
#include "kernels/stencil/stencil.h"

namespace workbook::kernels::rungs {
namespace {

constexpr int block = 256;

__global__ void stencil_1d_shared_kernel(const float* in, float* out, int n, int radius, float share) {
  __shared__ float tile[block + 2 * most_stencil_radius];
  const int first = blockIdx.x * block - radius;  // of the tile
  for (int t = threadIdx.x; t < block + 2 * radius; t += block) tile[t] = in[max(0, min(n - 1, first + t))];
  __syncthreads();
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int d = 0; d <= 2 * radius; ++d) sum += tile[threadIdx.x + d];
  out[i] = sum * share;
}

}  // namespace

cudaError_t stencil_1d_shared(const float* in, float* out, int n, int radius, cudaStream_t stream) {
  if (n < 0 || radius < 0 || radius > most_stencil_radius) return cudaErrorInvalidValue;
  if (n == 0) return cudaSuccess;
  const unsigned grid = (n - 1) / block + 1;
  stencil_1d_shared_kernel<<<grid, block, 0, stream>>>(in, out, n, radius, 1.0f / (2 * radius + 1));
  return cudaGetLastError();
}

}  // namespace workbook::kernels::rungs
