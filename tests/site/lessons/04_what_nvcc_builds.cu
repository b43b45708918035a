// The code of chapter 4.
#include "claims.h"

// --8<-- [start:header]
// scale.h, for everybody
cudaError_t scale(float* d_x, int n);
// --8<-- [end:header]

// --8<-- [start:launcher]
// scale.cu, for nvcc
__global__ void scale_kernel(float* d_x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] *= 2.0f;
}
cudaError_t scale(float* d_x, int n) {
  scale_kernel<<<(n + 255) / 256, 256>>>(d_x, n);
  return cudaGetLastError();
}
// --8<-- [end:launcher]

template <class T>
void f(T) {}
// --8<-- [start:instance]
template void f(float);  // make one for float, here and now
// --8<-- [end:instance]

__global__ void count_kernel(const unsigned char* d_x, int* found, int rows, int columns) {
  const int column = threadIdx.x;
  int counts[16] = {};
  for (int row = 0; row < rows; ++row) {
    // --8<-- [start:counts]
    const int digit = d_x[row * columns + column];
    ++counts[digit];
    // --8<-- [end:counts]
  }
  for (int digit = 0; digit < 16; ++digit) atomicAdd(&found[digit], counts[digit]);
}

__global__ void sums(float x, float* out) {
  float sum[4] = {};
  // --8<-- [start:unrolled]
#pragma unroll
  for (int k = 0; k < 4; ++k) sum[k] += x;
  // --8<-- [end:unrolled]
  for (int k = 0; k < 4; ++k) out[k] = sum[k];
}

// --8<-- [start:bounds]
__global__ void __launch_bounds__(256, 8) kernel(float* x) {
  x[threadIdx.x] = 1.0f;
}  // 8 blocks of 256 on an SM, please
// --8<-- [end:bounds]

int main() {
  float* x = shared_by_both<float>(300);
  x[299] = 4.0f;
  CLAIM(scale(x, 300) == cudaSuccess && all_well() && x[299] == 8.0f);
  f(1.0f);
  unsigned char* digits = shared_by_both<unsigned char>(8 * 32);
  int* found = shared_by_both<int>(16);
  for (int i = 0; i < 8 * 32; ++i) digits[i] = i % 10;
  count_kernel<<<1, 32>>>(digits, found, 8, 32);
  CLAIM(all_well() && found[0] == 26 && found[9] == 25 && found[10] == 0);
  cudaFuncAttributes attributes;
  CLAIM(cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess && attributes.maxThreadsPerBlock == 256);
  sums<<<1, 1>>>(3.0f, x);
  CLAIM(all_well() && x[0] == 3.0f && x[3] == 3.0f);
  kernel<<<1, 256>>>(x);
  CLAIM(all_well() && x[255] == 1.0f);
  return broken_claims;
}
