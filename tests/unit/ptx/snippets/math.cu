__device__ int fact(int n) {
  return n < 2 ? 1 : n * fact(n - 1);
}
template <typename T>
__global__ void m(T* p, long long* l, unsigned long long* u, int n) {
  int i = threadIdx.x;
  T x = p[i];
  p[i] = sin(x) + cos(x) + tan(x) + exp(x) + log(x) + pow(x, T(1.3)) + sqrt(x) + rsqrt(x) + x / (x + T(1)) +
         fma(x, x, x) + tanh(x) + erf(x) + fmod(x, T(3)) + cbrt(x) + floor(x) + ceil(x) + rint(x) + trunc(x) +
         fabs(x) + fmin(x, T(3)) + copysign(x, T(-1)) + lgamma(x) + j0(x) + (isnan(x) ? 1 : 0) +
         atan2(x, T(2));
  l[i] = l[i] / l[i + 1] + l[i] % (n + 1) + (long long)x;
  u[i] = u[i] / n + u[i] * 3 + (u[i] >> n);
  l[2] = fact(n) + __mul64hi(l[1], l[0]);
  char c = (char)n;
  short s = (short)n;
  c += s;
  s >>= 3;
  l[4] = c + s;
  __int128 big = l[5];
  big *= l[6];
  l[7] = (long long)(big >> 64);
}
template __global__ void m<float>(float*, long long*, unsigned long long*, int);
template __global__ void m<double>(double*, long long*, unsigned long long*, int);
__global__ void fast(float* p) {
  float x = *p;
  *p = __sinf(x) + __cosf(x) + __expf(x) + __logf(x) + __powf(x, 2.f) + __fdividef(x, 3.f) + __frcp_rn(x) +
       __fsqrt_rz(x) + __saturatef(x) + __float2int_rz(x) + __int2float_rn(3) + __float_as_int(x) +
       rsqrtf(x) + __fmaf_rd(x, x, x);
}
