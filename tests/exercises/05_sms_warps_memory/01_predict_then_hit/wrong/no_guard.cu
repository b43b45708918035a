// wrong: threads behind the last number have work too
// verdict: wrong
// code: out_of_bounds
// message: Which threads have no element
#include <cuda_runtime.h>

#include <cstdint>
#include <set>

// How many sectors one load of a warp touches. address[k] is where the number of the k-th active lane begins,
// in bytes; there are 1 to 32 of them, in any order. A number has 1, 2, 4, 8 or 16 bytes and begins at a
// multiple of its size, so it never lies in two sectors.
int sectors(const std::uint64_t* address, int lanes) {
  std::set<std::uint64_t> touched;
  for (int k = 0; k < lanes; ++k) touched.insert(address[k] / 32);
  return static_cast<int>(touched.size());
}

// Row r of out is row which[r] of table; a row has `width` numbers. Neither array has more than 2^30 numbers.
__global__ void gather_kernel(const float* table, int width, const int* which, int rows, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = i / width, c = i % width;
  out[i] = table[which[r] * width + c];
}

// rows from 0 up, width from 1 up. Does not wait for the device.
void gather_rows(const float* d_table, int width, const int* d_which, int rows, float* d_out) {
  if (rows == 0) return;
  constexpr int block = 256;
  gather_kernel<<<(rows * width - 1) / block + 1, block>>>(d_table, width, d_which, rows, d_out);
}
