// right: a block of 32 x 8 threads: x runs along the columns, y along the rows
#include <cuda_runtime.h>

#include <cstdint>

// How many sectors one load of a warp touches. address[k] is where the number of the k-th active lane begins,
// in bytes; there are 1 to 32 of them, in any order. A number has 1, 2, 4, 8 or 16 bytes and begins at a
// multiple of its size, so it never lies in two sectors.
int sectors(const std::uint64_t* address, int lanes) {
  int count = 0;
  for (int k = 0; k < lanes; ++k) {
    bool seen = false;
    for (int j = 0; j < k; ++j) seen = seen || address[j] / 32 == address[k] / 32;
    if (!seen) ++count;
  }
  return count;
}

// Row r of out is row which[r] of table; a row has `width` numbers. Neither array has more than 2^30 numbers.
__global__ void gather_kernel(const float* table, int width, const int* which, int rows, float* out) {
  for (int r = blockIdx.x * blockDim.y + threadIdx.y; r < rows; r += gridDim.x * blockDim.y) {
    const int row = which[r];
    for (int c = threadIdx.x; c < width; c += blockDim.x) out[r * width + c] = table[row * width + c];
  }
}

// rows from 0 up, width from 1 up. Does not wait for the device.
void gather_rows(const float* d_table, int width, const int* d_which, int rows, float* d_out) {
  if (rows == 0) return;
  gather_kernel<<<min((rows - 1) / 8 + 1, 4096), dim3(32, 8)>>>(d_table, width, d_which, rows, d_out);
}
