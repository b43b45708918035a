// right: warps pass numbers on by shuffles; in the plane a thread walks down 16 rows and keeps three in registers
#include <cuda_runtime.h>

constexpr int radius = 3;
constexpr int tile = 256;  // numbers a block works on at a time, one for each thread

__device__ int clamp_to(int i, int count) {
  return i < 0 ? 0 : i < count ? i : count - 1;
}

// y[i] is the mean of the seven numbers x[i - 3] to x[i + 3].
__global__ void smooth_line_kernel(const float* x, float* y, int n) {
  for (int first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
    const int i = first + threadIdx.x, lane = threadIdx.x % 32, begin = i - lane;
    // A warp holds the 38 numbers from begin - 3 on: 32 in `low`, six more in `high`.
    const float low = x[clamp_to(begin - radius + lane, n)];
    const float high = lane < 2 * radius ? x[clamp_to(begin - radius + 32 + lane, n)] : 0.0f;
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) {
      const float a = __shfl_sync(0xffffffff, low, (lane + k) % 32),
                  b = __shfl_sync(0xffffffff, high, (lane + k) % 32);
      sum += lane + k < 32 ? a : b;
    }
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
  const int lane = threadIdx.x, begin = blockIdx.x * 32, top = (blockIdx.y * 8 + threadIdx.y) * 16;
  const int c = begin + lane;
  const auto at = [&](int row, int column) {
    return x[clamp_to(row, height) * width + clamp_to(column, width)];
  };
  float above = at(top - 1, c), here = at(top, c);
  for (int r = top; r < top + 16 && r < height; ++r) {
    const float below = at(r + 1, c);
    float left = __shfl_up_sync(0xffffffff, here, 1), right = __shfl_down_sync(0xffffffff, here, 1);
    if (lane == 0) left = at(r, c - 1);
    if (lane == 31) right = at(r, c + 1);
    if (c < width) y[r * width + c] = (4 * here + left + right + above + below) / 8;
    above = here;
    here = below;
  }
}

// width and height from 1 to 65535, at most 2^28 numbers.
void smooth_plane(const float* d_x, float* d_y, int width, int height) {
  const dim3 block(32, 8), grid((width - 1) / 32 + 1, (height - 1) / 128 + 1);
  smooth_plane_kernel<<<grid, block>>>(d_x, d_y, width, height);
}
