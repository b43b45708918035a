// half and bfloat16: conversions, packed arithmetic, a dot product, what gets lost.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <vector>

__global__ void to_half(const float* in, __half* h, __nv_bfloat16* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    h[i] = __float2half_rn(in[i]);
    b[i] = __float2bfloat16(in[i]);
  }
}

__global__ void axpy(__half2 a, const __half2* x, __half2* y, int n2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n2) y[i] = __hfma2(a, x[i], y[i]);
}

__global__ void dot(const __half* x, const __half* y, float* in_float, __half* in_half, int n) {
  __shared__ float sf[128];
  __shared__ __half sh[128];
  float f = 0;
  __half h = __float2half(0.0f);
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    f += __half2float(x[i]) * __half2float(y[i]);
    h = __hadd(h, __hmul(x[i], y[i]));
  }
  sf[threadIdx.x] = f;
  sh[threadIdx.x] = h;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (threadIdx.x < d) {
      sf[threadIdx.x] += sf[threadIdx.x + d];
      sh[threadIdx.x] = __hadd(sh[threadIdx.x], sh[threadIdx.x + d]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *in_float = sf[0], *in_half = sh[0];
}

__global__ void compare(const __half* x, int n, int* counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (__hgt(x[i], __float2half(1.0f))) atomicAdd(&counts[0], 1);
  if (__hisnan(x[i])) atomicAdd(&counts[1], 1);
  if (__hisinf(x[i]) != 0) atomicAdd(&counts[2], 1);
}

int main() {
  const int n = 4096;
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i) in[i] = 0.001f * i - 2.0f;
  in[10] = 70000.0f;
  in[11] = NAN;
  in[12] = 65520.0f;
  float *d_in, *d_f, f;
  __half *h, *y, *d_h, result;
  __nv_bfloat16* b;
  int *d_counts, counts[3];
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&h, n * sizeof(__half));
  cudaMalloc(&y, n * sizeof(__half));
  cudaMalloc(&b, n * sizeof(__nv_bfloat16));
  cudaMalloc(&d_f, sizeof(float));
  cudaMalloc(&d_h, sizeof(__half));
  cudaMalloc(&d_counts, sizeof counts);
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(d_counts, 0, sizeof counts);
  to_half<<<n / 256, 256>>>(d_in, h, b, n);
  compare<<<n / 256, 256>>>(h, n, d_counts);
  std::vector<__half> hh(n);
  std::vector<__nv_bfloat16> bb(n);
  cudaMemcpy(hh.data(), h, n * sizeof(__half), cudaMemcpyDeviceToHost);
  cudaMemcpy(bb.data(), b, n * sizeof(__nv_bfloat16), cudaMemcpyDeviceToHost);
  cudaMemcpy(counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost);
  std::printf("%.3f is %.6f in half, %.6f in bfloat16\n", in[3141], __half2float(hh[3141]),
              __bfloat162float(bb[3141]));
  std::printf("70000 is %f in half, %.0f in bfloat16\n", __half2float(hh[10]), __bfloat162float(bb[10]));
  std::printf("%d above 1, %d NaN, %d infinite\n", counts[0], counts[1], counts[2]);

  for (int i = 0; i < n; ++i) in[i] = (i % 16) * 0.25f;
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  to_half<<<n / 256, 256>>>(d_in, h, b, n);
  to_half<<<n / 256, 256>>>(d_in, y, b, n);
  axpy<<<n / 512, 256>>>(__float2half2_rn(2.0f), (__half2*)h, (__half2*)y, n / 2);
  cudaMemcpy(hh.data(), y, n * sizeof(__half), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += __half2float(hh[i]) != 3 * in[i];
  dot<<<1, 128>>>(h, y, d_f, d_h, n);
  cudaMemcpy(&f, d_f, sizeof f, cudaMemcpyDeviceToHost);
  cudaMemcpy(&result, d_h, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("axpy: %d wrong; dot: %.1f in float, %.1f in half\n", wrong, f, __half2float(result));
  for (void* p : {(void*)d_in, (void*)h, (void*)y, (void*)b, (void*)d_f, (void*)d_h, (void*)d_counts})
    cudaFree(p);
  return wrong;
}
