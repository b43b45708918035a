// right: one warp for each row, its lanes along the columns; sectors sorted and counted
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

// How many sectors one load of a warp touches. address[k] is where the number of the k-th active lane begins,
// in bytes; there are 1 to 32 of them, in any order. A number has 1, 2, 4, 8 or 16 bytes and begins at a
// multiple of its size, so it never lies in two sectors.
int sectors(const std::uint64_t* address, int lanes) {
  std::uint64_t sector[32];
  for (int k = 0; k < lanes; ++k) sector[k] = address[k] >> 5;
  std::sort(sector, sector + lanes);
  return static_cast<int>(std::unique(sector, sector + lanes) - sector);
}

// Row r of out is row which[r] of table; a row has `width` numbers. Neither array has more than 2^30 numbers.
__global__ void gather_kernel(const float* table, int width, const int* which, int rows, float* out) {
  const int lane = threadIdx.x % 32, r = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (r >= rows) return;
  const float* from = table + which[r] * width;
  for (int c = lane; c < width; c += 32) out[r * width + c] = from[c];
}

// rows from 0 up, width from 1 up. Does not wait for the device.
void gather_rows(const float* d_table, int width, const int* d_which, int rows, float* d_out) {
  if (rows == 0) return;
  constexpr int block = 256;
  gather_kernel<<<(32 * rows - 1) / block + 1, block>>>(d_table, width, d_which, rows, d_out);
}
