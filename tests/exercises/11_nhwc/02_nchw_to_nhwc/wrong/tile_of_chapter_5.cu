// wrong: chapter 5's tile of 32 x 32, of which three rows are full
// verdict: too slow
// code: bound.few
// message: How full are your tiles
#include <cuda_runtime.h>
#include <algorithm>
__global__ void turn(const float* in, float* out, int c, int pixels) {
  __shared__ float square[32][33];
  in += (size_t)blockIdx.z * c * pixels; out += (size_t)blockIdx.z * c * pixels;
  const int p = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) { const int ch = blockIdx.y * 32 + k; if (ch < c && p < pixels) square[k][threadIdx.x] = in[(size_t)ch * pixels + p]; }
  __syncthreads();
  const int ch = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) { const int q = blockIdx.x * 32 + k; if (ch < c && q < pixels) out[(size_t)q * c + ch] = square[threadIdx.x][k]; }
}
cudaError_t nchw_to_nhwc(const float* d_in, float* d_out, int n, int c, int h, int w) {
  if (n == 0 || c == 0 || h * w == 0) return cudaSuccess;
  turn<<<dim3((h * w - 1) / 32 + 1, (c - 1) / 32 + 1, n), dim3(32, 8)>>>(d_in, d_out, c, h * w);
  return cudaGetLastError();
}
