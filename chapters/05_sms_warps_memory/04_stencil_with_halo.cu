// 5.4  A stencil with a halo
//
// Every number becomes an average of its neighbourhood. Neighbours share most of their neighbourhood, so a
// block loads a tile of numbers once, with a rim on each side (the halo), and then works from shared memory.
// Beyond an end of the array, the number at that end counts: x[-1] and x[-2] are x[0].
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
    // TODO smooth_line_kernel: load the tile that begins at `first`, and its halo; then write its means.
    // There are more tiles than blocks, so the threads come round again: who must have finished what before
    // they do?
  }
}

// n from 0 up to 2^28; exactly `blocks` blocks, 1 to 4096.
void smooth_line(const float* d_x, float* d_y, int n, int blocks) {
  if (n == 0) return;
  smooth_line_kernel<<<blocks, tile>>>(d_x, d_y, n);
}

// y = (4 * x + left + right + above + below) / 8, for each number of a plane: rows one after the other.
__global__ void smooth_plane_kernel(const float* x, float* y, int width, int height) {
  // TODO smooth_plane_kernel: the same in two dimensions. There are more places in a tile with its halo than
  // threads in a block.
}

// width and height from 1 to 65535, at most 2^28 numbers.
void smooth_plane(const float* d_x, float* d_y, int width, int height) {
  // TODO smooth_plane: launch it. When it works, the check says how many sectors were loaded, and how many it
  // would take to load every number once.
}
