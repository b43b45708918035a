// right: a block for each row of the result, and no division but one
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
__global__ void pool_kernel(const Channels<count>* d_x, Channels<count>* d_y, int rows, int h, int w,
                            int groups) {
  const int wide = w / 2 * groups;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const Channels<count>* top =
        d_x + (static_cast<size_t>(row / (h / 2)) * h + row % (h / 2) * 2) * w * groups;
    for (int i = threadIdx.x; i < wide; i += blockDim.x) {
      const int at = i / groups * 2 * groups + i % groups;
      Channels<count> best = top[at];
      for (const int other : {at + groups, at + w * groups, at + (w + 1) * groups}) {
        const Channels<count> next = top[other];
#pragma unroll
        for (int k = 0; k < count; ++k) best.value[k] = larger(best.value[k], next.value[k]);
      }
      d_y[static_cast<size_t>(row) * wide + i] = best;
    }
  }
}

template <int count>
cudaError_t launch(const __half* d_x, __half* d_y, int n, int h, int w, int c) {
  const int rows = n * (h / 2);
  if (rows == 0 || w / 2 * c == 0) return cudaSuccess;
  pool_kernel<<<rows, 256>>>(reinterpret_cast<const Channels<count>*>(d_x),
                             reinterpret_cast<Channels<count>*>(d_y), rows, h, w, c / count);
  return cudaGetLastError();
}

// Max-pooling, 2 x 2, NHWC: d_y[i][y][x][j] is the largest of d_x[i][2y..2y+1][2x..2x+1][j], and NaN if one
// of the four is. An odd last row or column belongs to no window: d_y has h / 2 rows of w / 2 pixels. Both
// are aligned to 16 bytes. Sizes from 0 up, less than 2^31 numbers. Does not wait for the device. Returns the
// first error.
cudaError_t max_pool(const __half* d_x, __half* d_y, int n, int h, int w, int c) {
  return c % 8 == 0 ? launch<8>(d_x, d_y, n, h, w, c) : launch<1>(d_x, d_y, n, h, w, c);
}
