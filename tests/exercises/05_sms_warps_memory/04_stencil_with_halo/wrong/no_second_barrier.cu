// wrong: loads the next tile while other warps still sum the last one
// verdict: wrong
// code: race_shared
// message: What makes one thread wait for the other?
// message: no barrier between the two
// seen: simulated
#include <cuda_runtime.h>

constexpr int radius = 3;
constexpr int tile = 256;  // numbers a block works on at a time, one for each thread

__device__ int clamp_to(int i, int count) {
  return i < 0 ? 0 : i < count ? i : count - 1;
}

// y[i] is the mean of the seven numbers x[i - 3] to x[i + 3].
__global__ void smooth_line_kernel(const float* x, float* y, int n) {
  __shared__ float near[tile + 2 * radius];
  for (int first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
    for (int k = threadIdx.x; k < tile + 2 * radius; k += tile) near[k] = x[clamp_to(first - radius + k, n)];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) sum += near[threadIdx.x + k];
    const int i = first + threadIdx.x;
    if (i < n) y[i] = sum / (2 * radius + 1);
  }
}

// n from 0 up to 2^28; exactly `blocks` blocks, 1 to 4096.
void smooth_line(const float* d_x, float* d_y, int n, int blocks) {
  if (n == 0) return;
  smooth_line_kernel<<<blocks, tile>>>(d_x, d_y, n);
}

// y = (4 * x + left + right + above + below) / 8, for each number of a plane: rows one after the other.
__global__ void smooth_plane_kernel(const float* x, float* y, int width, int height) {
  __shared__ float near[10][34];
  const int top = blockIdx.y * 8 - 1, left = blockIdx.x * 32 - 1;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 10 * 34; k += 256)
    near[k / 34][k % 34] = x[clamp_to(top + k / 34, height) * width + clamp_to(left + k % 34, width)];
  __syncthreads();
  const int r = threadIdx.y + 1, c = threadIdx.x + 1;
  if (top + r < height && left + c < width)
    y[(top + r) * width + left + c] =
        (4 * near[r][c] + near[r][c - 1] + near[r][c + 1] + near[r - 1][c] + near[r + 1][c]) / 8;
}

// width and height from 1 to 65535, at most 2^28 numbers.
void smooth_plane(const float* d_x, float* d_y, int width, int height) {
  const dim3 block(32, 8), grid((width - 1) / 32 + 1, (height - 1) / 8 + 1);
  smooth_plane_kernel<<<grid, block>>>(d_x, d_y, width, height);
}
