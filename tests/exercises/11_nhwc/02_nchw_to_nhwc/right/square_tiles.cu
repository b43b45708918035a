// right: tiles of 32 x 33 for many channels; for few, a thread takes a pixel and writes by way of shared
// memory
#include <cuda_runtime.h>

#include <algorithm>

__global__ void tiles(const float* d_in, float* d_out, int c, int pixels) {
  __shared__ float tile[32][33];
  const size_t start = static_cast<size_t>(blockIdx.z) * c * pixels;
  const int pixel = blockIdx.x * 32 + threadIdx.x, channel = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += blockDim.y) {
    const int from = blockIdx.y * 32 + k;
    if (from < c && pixel < pixels)
      tile[k][threadIdx.x] = d_in[start + static_cast<size_t>(from) * pixels + pixel];
  }
  __syncthreads();
  for (int k = threadIdx.y; k < 32; k += blockDim.y) {
    const int to = blockIdx.x * 32 + k;
    if (channel < c && to < pixels)
      d_out[start + static_cast<size_t>(to) * c + channel] = tile[threadIdx.x][k];
  }
}

__global__ void lines(const float* d_in, float* d_out, int c, int pixels) {
  extern __shared__ float line[];
  const size_t start = static_cast<size_t>(blockIdx.z) * c * pixels;
  const int first = blockIdx.x * blockDim.x, pixel = first + threadIdx.x;
  for (int k = 0; k < c && pixel < pixels; ++k)
    line[threadIdx.x * c + k] = d_in[start + static_cast<size_t>(k) * pixels + pixel];
  __syncthreads();
  const int count = min(static_cast<int>(blockDim.x), pixels - first) * c;
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    d_out[start + static_cast<size_t>(first) * c + i] = line[i];
}

// d_out[i][y][x][j] = d_in[i][j][y][x] for n images of c channels of h rows of w pixels, without gaps. Sizes
// from 0 up. Does not wait for the device. Returns the first error.
cudaError_t nchw_to_nhwc(const float* d_in, float* d_out, int n, int c, int h, int w) {
  const int pixels = h * w;
  if (n == 0 || c == 0 || pixels == 0) return cudaSuccess;
  for (int done = 0; done < n; done += 65535) {
    const float* in = d_in + static_cast<size_t>(done) * c * pixels;
    float* out = d_out + static_cast<size_t>(done) * c * pixels;
    const unsigned images = std::min(n - done, 65535);
    if (c <= 16) {
      lines<<<dim3((pixels - 1) / 256 + 1, 1, images), 256, 256 * c * sizeof(float)>>>(in, out, c, pixels);
    } else {
      tiles<<<dim3((pixels - 1) / 32 + 1, (c - 1) / 32 + 1, images), dim3(32, 8)>>>(in, out, c, pixels);
    }
  }
  return cudaGetLastError();
}
