// wrong: the next channels come into the tile while a slower warp still multiplies
// verdict: wrong
// message: filters
// seen: simulated
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int tile = 64;              // pixels and filters of a block
constexpr int step = 32;              // channels at a time
constexpr int pitch = step + 8;       // of the halves in shared memory
constexpr int sums_pitch = tile + 4;  // of the sums there

// 64 rows of 32 numbers into shared memory, zeros where the matrix has none. Eight at a time where rows allow
// it.
__device__ void bring(const __half* d_from, __half* to, int first_row, int rows, int first_channel,
                      int channels) {
  const int together = channels % 8 == 0 ? 8 : 1;
  for (int i = threadIdx.x * together; i < tile * step; i += blockDim.x * together) {
    const int row = first_row + i / step, channel = first_channel + i % step;
    const bool there = row < rows && channel < channels;
    const __half* from = d_from + static_cast<size_t>(row) * channels + channel;
    __half* place = to + i / step * pitch + i % step;
    if (together == 8) {
      *reinterpret_cast<uint4*>(place) =
          there ? *reinterpret_cast<const uint4*>(from) : make_uint4(0, 0, 0, 0);
    } else {
      *place = there ? *from : __half(0.0f);
    }
  }
}

// 128 threads: each of the four warps has a quarter of the tile, 2 x 2 sums of 16 x 16.
__global__ void convolve(const __half* d_x, const __half* d_w, float* d_y, int pixels, int c, int k) {
  __shared__ __align__(32) __half xs[tile * pitch], ws[tile * pitch];
  __shared__ __align__(32) float sums[tile * sums_pitch];
  const int first_pixel = blockIdx.x * tile, first_filter = blockIdx.y * tile;
  const int row = threadIdx.x / 64 * 32, column = threadIdx.x / 32 % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
  for (int i = 0; i < 4; ++i) wmma::fill_fragment(sum[i / 2][i % 2], 0.0f);
  for (int from = 0; from < c; from += step) {
    bring(d_x, xs, first_pixel, pixels, from, c);
    bring(d_w, ws, first_filter, k, from, c);
    __syncthreads();
    for (int s = 0; s < step; s += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(a[i], xs + (row + 16 * i) * pitch + s, pitch);
        wmma::load_matrix_sync(b[i], ws + (column + 16 * i) * pitch + s, pitch);
      }
      for (int i = 0; i < 4; ++i) wmma::mma_sync(sum[i / 2][i % 2], a[i / 2], b[i % 2], sum[i / 2][i % 2]);
    }
  }
  for (int i = 0; i < 4; ++i) {
    float* corner = sums + (row + i / 2 * 16) * sums_pitch + column + i % 2 * 16;
    wmma::store_matrix_sync(corner, sum[i / 2][i % 2], sums_pitch, wmma::mem_row_major);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < tile * tile; i += blockDim.x) {
    const int pixel = first_pixel + i / tile, filter = first_filter + i % tile;
    if (pixel < pixels && filter < k)
      d_y[static_cast<size_t>(pixel) * k + filter] = sums[i / tile * sums_pitch + i % tile];
  }
}

// d_y[p * k + f] = the sum over j of d_x[p * c + j] * d_w[f * c + j]: a 1x1 convolution in NHWC, with k
// filters of c channels, for all pixels of all images. Multiplies halves, adds in float. d_x and d_w are
// aligned to 16 bytes. Sizes from 0 up; d_y has less than 2^31 numbers. Does not wait for the device. Returns
// the first error.
cudaError_t convolve_1x1(const __half* d_x, const __half* d_w, float* d_y, int pixels, int c, int k) {
  if (pixels == 0 || k == 0) return cudaSuccess;
  const dim3 grid((pixels - 1) / tile + 1, (k - 1) / tile + 1);
  convolve<<<grid, 128>>>(d_x, d_w, d_y, pixels, c, k);
  return cudaGetLastError();
}
