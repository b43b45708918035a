// right: moves 16 bytes at a time where the rows allow it
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
  if (i >= rows * width) return;
  out[i] = table[which[i / width] * width + i % width];
}

__global__ void gather_fours(const float4* table, int width, const int* which, int rows, float4* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * width) out[i] = table[which[i / width] * width + i % width];
}

bool in_fours(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p) % 16 == 0;
}

// rows from 0 up, width from 1 up. Does not wait for the device.
void gather_rows(const float* d_table, int width, const int* d_which, int rows, float* d_out) {
  if (rows == 0) return;
  constexpr int block = 256;
  if (width % 4 == 0 && in_fours(d_table) && in_fours(d_out)) {
    gather_fours<<<(rows * (width / 4) - 1) / block + 1, block>>>(
        reinterpret_cast<const float4*>(d_table), width / 4, d_which, rows, reinterpret_cast<float4*>(d_out));
    return;
  }
  gather_kernel<<<(rows * width - 1) / block + 1, block>>>(d_table, width, d_which, rows, d_out);
}
