// 11.1  Strides
//
// A kernel that adds a bias to each channel and clips at zero: y = max(x + bias, 0). It shall be right for
// any layout, and fast for both common ones.
//
// TODO: `nhwc`, `offset`, `layout_of`, and the kernel, which is right for NCHW without gaps only. When it works,
// one kernel does for both layouts, for a piece cut out of a larger image too, and the check shows the times of
// both beside that of a copy.
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
  return nchw(s);  // TODO: the channels of a pixel lie side by side
}

// Where the number of image n, channel c, row h, pixel w lies.
__host__ __device__ long long offset(Strides t, int n, int c, int h, int w) {
  return 0;  // TODO
}

// Which layout without gaps is it? Some strides fit both, and some neither. All sizes are at least 1.
Layout layout_of(Shape s, Strides t) {
  return Layout::neither;  // TODO: compare with nchw(s) and nhwc(s). Which strides say nothing?
}

// One number of each image for each thread, in the order of NCHW. TODO: use the offset, and let neighbours
// take neighbours in memory.
__global__ void bias_relu_kernel(const float* d_x, const float* d_bias, float* d_y, Shape s, Strides t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, pixels = s.h * s.w;
  if (i >= s.c * pixels) return;
  const int c = i / pixels;
  for (int n = blockIdx.y; n < s.n; n += gridDim.y) {
    const int at = n * s.c * pixels + i;
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
  bias_relu_kernel<<<grid, 256>>>(d_x, d_bias, d_y, s, t);
  return cudaGetLastError();
}
