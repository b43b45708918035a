// right: every thread loads its own number, and the first few the halo as well
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
    const int t = threadIdx.x;
    near[t + radius] = x[clamp_to(first + t, n)];
    if (t < radius) near[t] = x[clamp_to(first + t - radius, n)];
    if (t >= tile - radius) near[t + 2 * radius] = x[clamp_to(first + t + radius, n)];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) sum += near[threadIdx.x + k];
    const int i = first + threadIdx.x;
    if (i < n) y[i] = sum / (2 * radius + 1);
    __syncthreads();
  }
}

// n from 0 up to 2^28; exactly `blocks` blocks, 1 to 4096.
void smooth_line(const float* d_x, float* d_y, int n, int blocks) {
  if (n == 0) return;
  smooth_line_kernel<<<blocks, tile>>>(d_x, d_y, n);
}

// y = (4 * x + left + right + above + below) / 8, for each number of a plane: rows one after the other.
__global__ void smooth_plane_kernel(const float* x, float* y, int width, int height) {
  __shared__ float near[18][18];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int c = blockIdx.x * 16 + tx, r = blockIdx.y * 16 + ty;
  const auto at = [&](int row, int column) {
    return x[clamp_to(row, height) * width + clamp_to(column, width)];
  };
  near[ty + 1][tx + 1] = at(r, c);
  if (ty == 0) near[0][tx + 1] = at(r - 1, c);
  if (ty == 15) near[17][tx + 1] = at(r + 1, c);
  if (tx == 0) near[ty + 1][0] = at(r, c - 1);
  if (tx == 15) near[ty + 1][17] = at(r, c + 1);
  __syncthreads();
  if (r >= height || c >= width) return;
  y[r * width + c] = (4 * near[ty + 1][tx + 1] + near[ty + 1][tx] + near[ty + 1][tx + 2] + near[ty][tx + 1] +
                      near[ty + 2][tx + 1]) *
                     0.125f;
}

// width and height from 1 to 65535, at most 2^28 numbers.
void smooth_plane(const float* d_x, float* d_y, int width, int height) {
  const dim3 block(16, 16), grid((width - 1) / 16 + 1, (height - 1) / 16 + 1);
  smooth_plane_kernel<<<grid, block>>>(d_x, d_y, width, height);
}
