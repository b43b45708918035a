#include <cassert>
#include <cstdio>
__constant__ float c[4] = {1, 2, 3, 4};
__device__ int g = 7;
struct B {
  virtual __device__ int f(int x) = 0;
};
struct D : B {
  int k;
  __device__ int f(int x) override { return x * k; }
};
struct E : B {
  int k;
  __device__ int f(int x) override { return x + k; }
};
__device__ __noinline__ int rec(int n) {
  return n < 2 ? n : rec(n - 1) + rec(n - 2);
}
__global__ void __launch_bounds__(256, 2) k(float* p, int n, double d) {
  __shared__ float s[256];
  extern __shared__ double dyn[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  D dd;
  dd.k = n;
  E e;
  e.k = 3;
  B* b = n > 5 ? (B*)&dd : (B*)&e;
  s[threadIdx.x] = p[i];
  __syncthreads();
  printf("hi %d %f\n", i, p[i]);
  assert(p[i] > 0);
  switch (n) {
    case 1:
      p[i] = 2;
      break;
    case 2:
      p[i] = sinf(p[i]);
      break;
    case 3:
      p[i] = powf(p[i], 1.3f);
      break;
    case 4:
      p[i] = 5;
    case 5:
      p[i] = 3;
      break;
    case 6:
      p[i] = 77;
      break;
  }
  p[i] += c[i & 3] + rec(n) + b->f(n) + dyn[i] + d + atomicAdd(&g, 1) + __shfl_down_sync(~0u, p[i], 1);
  p[i] = s[255 - threadIdx.x];
}
