// wrong: tells the layout by one stride alone
// verdict: wrong
// code: neither
// message: Which of the four strides would another one be
#include <cuda_runtime.h>

#include <algorithm>

// How many: images, channels, rows, pixels in a row.
struct Shape {
  int n, c, h, w;
};
// How far, in numbers, to the next image, the next channel, the next row, the next pixel.
struct Strides {
  long long n, c, h, w;
};
enum class Layout { neither, nchw, nhwc, both };

Strides nchw(Shape s) { const long long row = s.w, plane = row * s.h; return {plane * s.c, plane, row, 1}; }
Strides nhwc(Shape s) { const long long pix = s.c, row = pix * s.w; return {row * s.h, 1, row, pix}; }
__host__ __device__ long long offset(Strides t, int n, int c, int h, int w) { return n * t.n + c * t.c + h * t.h + w * t.w; }
Layout layout_of(Shape s, Strides t) {
  if (t.c == 1) return Layout::nhwc;
  if (t.w == 1) return Layout::nchw;
  return Layout::neither;
}
__global__ void bias_relu_kernel(const float* d_x, const float* d_bias, float* d_y, Shape s, Strides t, bool channels_first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, pixels = s.h * s.w;
  if (i >= s.c * pixels) return;
  int c, p;
  if (channels_first) { c = i % s.c; p = i / s.c; } else { c = i / pixels; p = i % pixels; }
  const float bias = d_bias[c];
  const long long at0 = offset(t, 0, c, p / s.w, p % s.w);
  for (int n = blockIdx.y; n < s.n; n += gridDim.y) {
    const long long at = at0 + n * t.n;
    d_y[at] = fmaxf(d_x[at] + bias, 0.0f);
  }
}
cudaError_t bias_relu(const float* d_x, const float* d_bias, float* d_y, Shape s, Strides t) {
  const int numbers = s.c * s.h * s.w;
  if (numbers == 0 || s.n == 0) return cudaSuccess;
  const dim3 grid((numbers - 1) / 256 + 1, std::min(s.n, 8));
  bias_relu_kernel<<<grid, 256>>>(d_x, d_bias, d_y, s, t, t.c < t.w);
  return cudaGetLastError();
}
