// 11.1  Strides
//
// One kernel for all layouts: the offset is the same sum everywhere, and only the order in which threads walk
// over the numbers follows the layout. Neighbouring threads take neighbours in memory.
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

// The strides of `s` without gaps, in the layout of that name.
Strides nchw(Shape s) {
  const long long row = s.w, plane = row * s.h;
  return {plane * s.c, plane, row, 1};
}
Strides nhwc(Shape s) {
  const long long pixel = s.c, row = pixel * s.w;
  return {row * s.h, 1, row, pixel};
}

// Where the number of image n, channel c, row h, pixel w lies.
__host__ __device__ long long offset(Strides t, int n, int c, int h, int w) {
  return n * t.n + c * t.c + h * t.h + w * t.w;
}

// Each number lies where it lies in `like`. Nobody steps along a dimension of size 1, so its stride says
// nothing.
bool same_places(Shape s, Strides t, Strides like) {
  return (s.n == 1 || t.n == like.n) && (s.c == 1 || t.c == like.c) && (s.h == 1 || t.h == like.h) &&
         (s.w == 1 || t.w == like.w);
}

// Which layout without gaps is it? Some strides fit both, and some neither. All sizes are at least 1.
Layout layout_of(Shape s, Strides t) {
  const bool planes = same_places(s, t, nchw(s)), pixels = same_places(s, t, nhwc(s));
  if (planes && pixels) return Layout::both;
  return planes ? Layout::nchw : pixels ? Layout::nhwc : Layout::neither;
}

// One number of each image for each thread; `inner` says that the channels lie closest together.
__global__ void bias_relu_kernel(const float* d_x, const float* d_bias, float* d_y, Shape s, Strides t,
                                 bool inner) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, pixels = s.h * s.w;
  if (i >= s.c * pixels) return;
  const int c = inner ? i % s.c : i / pixels, pixel = inner ? i / s.c : i % pixels;
  const int h = pixel / s.w, w = pixel % s.w;
  for (int n = blockIdx.y; n < s.n; n += gridDim.y) {
    const long long at = offset(t, n, c, h, w);
    d_y[at] = fmaxf(d_x[at] + d_bias[c], 0.0f);
  }
}

// y = max(x + bias of the channel, 0) for every number of the shape; x and y have the same strides, and no
// two numbers lie in one place. What lies between them is not touched. Sizes from 0 up, an image has less
// than 2^31 numbers. Does not wait for the device. Returns the first error.
cudaError_t bias_relu(const float* d_x, const float* d_bias, float* d_y, Shape s, Strides t) {
  const int numbers = s.c * s.h * s.w;
  if (numbers == 0 || s.n == 0) return cudaSuccess;
  const dim3 grid((numbers - 1) / 256 + 1, std::min(s.n, 8));
  bias_relu_kernel<<<grid, 256>>>(d_x, d_bias, d_y, s, t, t.c < t.w);
  return cudaGetLastError();
}
