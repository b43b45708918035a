#include <cuda_pipeline.h>

#include <cuda/barrier>
__global__ void as(float4* p, float* o) {
  __shared__ float4 s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], p + threadIdx.x, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  o[threadIdx.x] = s[63 - threadIdx.x].x;
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  bar.arrive_and_wait();
}
struct S {
  float x;
  double d;
  int a[3];
};
struct P {
  int* p;
  void (*f)(int*);
};
__device__ void g1(int* x) {
  *x += 1;
}
__device__ void g2(int* x) {
  *x *= 2;
}
__device__ int arr[10];
__device__ P table[2] = {{arr + 2, g1}, {arr + 5, g2}};
__constant__ S cs = {1.f, 2.0, {1, 2, 3}};
__managed__ int man = 3;
__device__ char packed[] = "hello";
struct __attribute__((packed)) Q {
  char c;
  int* p;
};
__device__ Q q = {'a', arr + 1};
__global__ void tab(int n, S s) {
  extern __shared__ int dyn[];
  P t = table[n];
  t.f(t.p);
  dyn[threadIdx.x] = s.a[n] + cs.a[n];
  __syncthreads();
  man += dyn[3] + packed[n] + *q.p;
  int* h = new int[n];
  h[0] = 3;
  arr[0] = h[0];
  delete[] h;
  if (n == 77) __trap();
  while (arr[3]) {
  }
}
__global__ void sw(int* p, int n) {
  switch (n) {
    case 0:
      p[0] = 1;
    case 1:
      p[1] *= 5;
      break;
    case 2:
      p[2] /= 7;
      break;
    case 3:
      p[9]--;
      break;
    case 4:
      p[3] = p[4];
      break;
    case 5:
      p[1] ^= 4;
      break;
    case 6:
      p[8] += p[n];
      break;
    case 7:
      p[1] = -p[2];
      break;
    default:
      p[0] = 99;
  }
}
