// wrong: takes all sectors from the lowest address to the highest
// verdict: wrong
// code: stride
// message: it is 32
#include <cuda_runtime.h>

#include <cstdint>
#include <set>

// How many sectors one load of a warp touches. address[k] is where the number of the k-th active lane begins,
// in bytes; there are 1 to 32 of them, in any order. A number has 1, 2, 4, 8 or 16 bytes and begins at a
// multiple of its size, so it never lies in two sectors.
int sectors(const std::uint64_t* address, int lanes) {
  std::uint64_t low = address[0], high = address[0];
  for (int k = 1; k < lanes; ++k) {
    if (address[k] < low) low = address[k];
    if (address[k] > high) high = address[k];
  }
  return static_cast<int>(high / 32 - low / 32 + 1);
}

// Row r of out is row which[r] of table; a row has `width` numbers. Neither array has more than 2^30 numbers.
__global__ void gather_kernel(const float* table, int width, const int* which, int rows, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * width) return;
  const int r = i / width, c = i % width;
  out[i] = table[which[r] * width + c];
}

// rows from 0 up, width from 1 up. Does not wait for the device.
void gather_rows(const float* d_table, int width, const int* d_which, int rows, float* d_out) {
  if (rows == 0) return;
  constexpr int block = 256;
  gather_kernel<<<(rows * width - 1) / block + 1, block>>>(d_table, width, d_which, rows, d_out);
}
