#include <cmath>

#include "kernels/common/launch.h"
#include "kernels/multiply_add/multiply_add.h"

namespace workbook::kernels {

namespace {

constexpr int block = 256;

__global__ void loop_kernel(float* x, int n, float a, float b, int rounds) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) v = fmaf(v, a, b);
  x[i] = v;
}

__global__ void unrolled_kernel(float* x, int n, float a, float b, int rounds) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
#pragma unroll 64
  for (int r = 0; r < rounds; ++r) v = fmaf(v, a, b);
  x[i] = v;
}

template <class Kernel>
cudaError_t launch(Kernel kernel, float* x, int n, float a, float b, int rounds, cudaStream_t stream) {
  if (n < 0 || rounds < 0) return cudaErrorInvalidValue;
  if (n == 0) return cudaSuccess;
  kernel<<<pieces(n, block), block, 0, stream>>>(x, n, a, b, rounds);
  return cudaGetLastError();
}

}  // namespace

namespace rungs {
cudaError_t multiply_add_loop(float* x, int n, float a, float b, int rounds, cudaStream_t stream) {
  return launch(loop_kernel, x, n, a, b, rounds, stream);
}
cudaError_t multiply_add_unrolled(float* x, int n, float a, float b, int rounds, cudaStream_t stream) {
  return launch(unrolled_kernel, x, n, a, b, rounds, stream);
}
}  // namespace rungs

cudaError_t multiply_add(float* x, int n, float a, float b, int rounds, cudaStream_t stream) {
  return rungs::multiply_add_unrolled(x, n, a, b, rounds, stream);
}

void multiply_add_reference(float* x, int n, float a, float b, int rounds) {
  for (int i = 0; i < n; ++i) {
    for (int r = 0; r < rounds; ++r) x[i] = std::fmaf(x[i], a, b);
  }
}

}  // namespace workbook::kernels
