// right: counts in the bytes of two 64-bit numbers, unpacked before one can overflow; a switch would do as
// well
#include <cuda_runtime.h>

constexpr int digits = 16;

// One thread for each column.
__global__ void count_kernel(const unsigned char* d_x, int* d_counts, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  int counts[digits] = {};
  for (int first = 0; first < rows; first += 255) {
    unsigned long long low = 0, high = 0;
    for (int row = first; row < rows && row < first + 255; ++row) {
      const int digit = d_x[row * columns + column];
      const unsigned long long one = 1ull << (digit % 8 * 8);
      if (digit < 8) {
        low += one;
      } else {
        high += one;
      }
    }
#pragma unroll
    for (int d = 0; d < digits; ++d) counts[d] += static_cast<int>((d < 8 ? low : high) >> (d % 8 * 8) & 255);
  }
#pragma unroll
  for (int d = 0; d < digits; ++d) d_counts[d * columns + column] = counts[d];
}

// d_counts[d * columns + c] is how often the digit d, from 0 to 15, stands in column c of the rows x columns
// values at d_x; rows and columns from 0 up, at most 2^30 values. Does not wait for the device. Returns the
// first error.
cudaError_t count_digits(const unsigned char* d_x, int* d_counts, int rows, int columns) {
  if (columns == 0) return cudaSuccess;
  count_kernel<<<(columns - 1) / 256 + 1, 256>>>(d_x, d_counts, rows, columns);
  return cudaGetLastError();
}
