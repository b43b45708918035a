#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void h(__half* a, __half2* b, __nv_bfloat16* c, float* f, int i) {
  a[i] = __hfma(a[i], a[i + 1], __float2half(f[i]));
  b[i] = __hadd2(b[i], h2exp(b[i + 1]));
  c[i] = __hmul(c[i], c[i + 1]);
  f[i] = __half2float(a[i]) + __bfloat162float(c[i]) + __low2float(b[i]);
  a[i] = hsqrt(a[i]);
  if (__hlt(a[i], a[i + 1])) f[i] = htanh(a[i]);
  atomicAdd(b + i, b[i]);
  atomicAdd(a + i, a[i]);
}
