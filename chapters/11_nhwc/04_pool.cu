// 11.4  Pool in the right layout
//
// The largest of each 2 x 2 pixels, channel by channel. Right, and slow: each thread loads four halves, two
// bytes at a time, and works out three divisions for it.
//
// TODO: eight channels for each load and each thread, wherever the number of channels allows it. When it
// works, the results are the same, and the check counts an eighth of the loads.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// The larger one; NaN when there is one.
__device__ __half larger(__half a, __half b) {
  return __hisnan(a) || a > b ? a : b;
}

// One number of the result for each thread.
__global__ void pool_kernel(const __half* d_x, __half* d_y, int n, int h, int w, int c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * (h / 2) * (w / 2) * c) return;
  const int j = i % c, x = i / c % (w / 2), y = i / c / (w / 2) % (h / 2), image = i / c / (w / 2) / (h / 2);
  const __half* corner = d_x + ((image * h + 2 * y) * w + 2 * x) * c + j;
  d_y[i] = larger(larger(corner[0], corner[c]), larger(corner[w * c], corner[(w + 1) * c]));
}

// Max-pooling, 2 x 2, NHWC: d_y[i][y][x][j] is the largest of d_x[i][2y..2y+1][2x..2x+1][j], and NaN if one
// of the four is. An odd last row or column belongs to no window: d_y has h / 2 rows of w / 2 pixels. Both
// are aligned to 16 bytes. Sizes from 0 up, less than 2^31 numbers. Does not wait for the device. Returns the
// first error.
cudaError_t max_pool(const __half* d_x, __half* d_y, int n, int h, int w, int c) {
  const int threads = n * (h / 2) * (w / 2) * c;
  if (threads == 0) return cudaSuccess;
  pool_kernel<<<(threads - 1) / 256 + 1, 256>>>(d_x, d_y, n, h, w, c);
  return cudaGetLastError();
}
