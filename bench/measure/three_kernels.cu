// How far a comparison can be trusted: three kernels, each against itself and against itself with 3 % more
// work.
//
//   ./workbook bench bench/measure/three_kernels.cu --against bench/measure/three_kernels.cu --trials 100
//   ./workbook bench bench/measure/three_kernels.cu --against bench/measure/three_percent_more.cu --trials
//   100
//
// The first has to say "no difference" nearly every time, the second "faster". docs/bench.md has the counts
// of an H200.
#include <workbook/bench.h>

// 3 % more work is 3 % more elements for the copy, and 3 % more steps for the other two.
#ifndef HUNDREDTHS
#define HUNDREDTHS 100
#endif

__global__ void add(const float* d_a, const float* d_b, float* d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

// Four chains, so that the multiply-adds of one thread need not wait for each other.
__global__ void steps(float* d_x, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float start = d_x[i];
  float a = start, b = start + 1, c = start + 2, d = start + 3;
#pragma unroll 4
  for (int k = 0; k < count; ++k) {
    a = a * 0.999f + 0.001f;
    b = b * 0.999f + 0.001f;
    c = c * 0.999f + 0.001f;
    d = d * 0.999f + 0.001f;
  }
  d_x[i] = a + b + c + d;
}

WORKBOOK_BENCH(vector_add) {
  const int n = (1 << 25) / 100 * HUNDREDTHS;
  float *d_a = bench.memory<float>(n), *d_b = bench.memory<float>(n), *d_c = bench.memory<float>(n);
  bench.bytes(12.0 * n);
  bench.run([=](cudaStream_t stream) { add<<<(n + 255) / 256, 256, 0, stream>>>(d_a, d_b, d_c, n); });
}

// Every place for a block of 256 is taken once: some 20 us on an H200.
WORKBOOK_BENCH(multiply_add) {
  const int n = 132 * 2048, count = 12 * HUNDREDTHS;
  float* d_x = bench.memory<float>(n);
  bench.flops(8.0 * n * count / 3);
  bench.run([=](cudaStream_t stream) { steps<<<n / 256, 256, 0, stream>>>(d_x, count / 3); });
}

// One warp on an SM: some 9 us, most of it the wait for each result.
WORKBOOK_BENCH(short_one) {
  const int n = 132 * 32, count = 28 * HUNDREDTHS;
  float* d_x = bench.memory<float>(n);
  bench.run([=](cudaStream_t stream) { steps<<<n / 32, 32, 0, stream>>>(d_x, count); });
}
