// 5.1  Predict, then hit
//
// Memory hands out sectors: 32 bytes that begin at a multiple of 32. Whoever wants one byte of a sector gets
// all of it. When a warp loads, its lanes' addresses are put together, and each sector that is needed comes
// once.
#include <cuda_runtime.h>

#include <cstdint>

// How many sectors one load of a warp touches. address[k] is where the number of the k-th active lane begins,
// in bytes; there are 1 to 32 of them, in any order. A number has 1, 2, 4, 8 or 16 bytes and begins at a
// multiple of its size, so it never lies in two sectors.
int sectors(const std::uint64_t* address, int lanes) {
  // TODO sectors: count the different sectors.
  return 0;
}

// Row r of out is row which[r] of table; a row has `width` numbers. Neither array has more than 2^30 numbers.
__global__ void gather_kernel(const float* table, int width, const int* which, int rows, float* out) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int c = 0; c < width; ++c) out[r * width + c] = table[which[r] * width + c];
}

// rows from 0 up, width from 1 up. Does not wait for the device.
//
// TODO gather_rows and gather_kernel: right, and with 24 numbers a row each load touches up to 32 sectors and
// uses an eighth of each. Give the work to the threads in another way. When it works, 1000 rows of 24
// numbers, which are 3000 sectors, are loaded with at most 5000 (some go for `which`), and stored with at
// most 4000; and many such rows take at most three times as long as copying as many bytes.
void gather_rows(const float* d_table, int width, const int* d_which, int rows, float* d_out) {
  if (rows == 0) return;
  constexpr int block = 256;
  gather_kernel<<<(rows - 1) / block + 1, block>>>(d_table, width, d_which, rows, d_out);
}
