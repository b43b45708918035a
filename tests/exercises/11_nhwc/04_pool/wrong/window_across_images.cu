// wrong: takes all rows of all images for one image: with odd heights a window has rows of two
// verdict: wrong
// message: n 2, c 8, h 7, w 9
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// The larger one; NaN when there is one.
__device__ __half larger(__half a, __half b) {
  return __hisnan(a) || a > b ? a : b;
}

// Channels of one pixel that lie together.
template <int count>
struct alignas(count * sizeof(__half)) Channels {
  __half value[count];
};

template <int count>
__global__ void pool_kernel(const Channels<count>* d_x, Channels<count>* d_y, int n, int h, int w,
                            int groups) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * (h / 2) * (w / 2) * groups) return;
  const int group = i % groups, x = i / groups % (w / 2), y = i / groups / (w / 2);
  const Channels<count>* corner = d_x + (2 * y * w + 2 * x) * groups + group;
  Channels<count> a = corner[0], b = corner[groups], c = corner[w * groups], d = corner[(w + 1) * groups];
#pragma unroll
  for (int k = 0; k < count; ++k)
    a.value[k] = larger(larger(a.value[k], b.value[k]), larger(c.value[k], d.value[k]));
  d_y[i] = a;
}

template <int count>
cudaError_t launch(const __half* d_x, __half* d_y, int n, int h, int w, int c) {
  const int threads = n * (h / 2) * (w / 2) * (c / count);
  if (threads == 0) return cudaSuccess;
  pool_kernel<<<(threads - 1) / 256 + 1, 256>>>(reinterpret_cast<const Channels<count>*>(d_x),
                                                reinterpret_cast<Channels<count>*>(d_y), n, h, w, c / count);
  return cudaGetLastError();
}

// Max-pooling, 2 x 2, NHWC: d_y[i][y][x][j] is the largest of d_x[i][2y..2y+1][2x..2x+1][j], and NaN if one
// of the four is. An odd last row or column belongs to no window: d_y has h / 2 rows of w / 2 pixels. Both
// are aligned to 16 bytes. Sizes from 0 up, less than 2^31 numbers. Does not wait for the device. Returns the
// first error.
cudaError_t max_pool(const __half* d_x, __half* d_y, int n, int h, int w, int c) {
  return c % 8 == 0 ? launch<8>(d_x, d_y, n, h, w, c) : launch<1>(d_x, d_y, n, h, w, c);
}
