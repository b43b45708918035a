// The code of chapter 13, for `workbook bench`.
// --8<-- [start:benchmark]
#include <workbook/bench.h>

__global__ void scale(float* d_x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] *= 2.0f;
}

WORKBOOK_BENCH(scale) {
  const int n = bench.parameter("n", {1 << 16, 1 << 20});
  float* d_x = bench.memory<float>(n);
  bench.bytes(8.0 * n);
  bench.run([=](cudaStream_t stream) { scale<<<(n + 255) / 256, 256, 0, stream>>>(d_x, n); });
}
// --8<-- [end:benchmark]
