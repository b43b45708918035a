// A benchmark file for test_bench.py; WORK says how much each thread does.
#include <workbook/bench.h>

#ifndef WORK
#define WORK 256
#endif

__global__ void scale(float* d_x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = d_x[i];
#pragma unroll 16
  for (int r = 0; r < WORK; ++r) v = v * 0.999f + 0.001f;
  d_x[i] = v;
}

WORKBOOK_BENCH(scale) {
  const int n = static_cast<int>(bench.parameter("n", {1 << 14, 1 << 16}));
  if (n <= 0) return bench.skip("nothing to do");
  float* d_x = bench.memory<float>(n);
  bench.bytes(8.0 * n);
  bench.flops(2.0 * n * WORK);
  bench.run([=](cudaStream_t stream) { scale<<<(n + 255) / 256, 256, 0, stream>>>(d_x, n); });
}

WORKBOOK_BENCH(too_many_threads) {
  float* d_x = bench.memory(std::vector<float>(32, 1.0f));
  bench.run([=](cudaStream_t stream) { scale<<<1, 4096, 0, stream>>>(d_x, 32); });
}
