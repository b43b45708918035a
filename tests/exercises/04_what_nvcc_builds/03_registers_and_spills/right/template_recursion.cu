// right: the sixteen counts as a pack of variables, and blocks of 128
#include <cuda_runtime.h>

constexpr int digits = 16;

template <int... d>
struct Counts {
  int value[sizeof...(d)] = {};
  __device__ void add(int digit) { ((value[d] += digit == d), ...); }
  __device__ void store(int* d_counts, int columns) const { ((d_counts[d * columns] = value[d]), ...); }
};

// One thread for each column.
__global__ void count_kernel(const unsigned char* d_x, int* d_counts, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  Counts<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15> counts;
  for (int row = 0; row < rows; ++row) counts.add(d_x[row * columns + column]);
  counts.store(d_counts + column, columns);
}

// d_counts[d * columns + c] is how often the digit d, from 0 to 15, stands in column c of the rows x columns
// values at d_x; rows and columns from 0 up, at most 2^30 values. Does not wait for the device. Returns the
// first error.
cudaError_t count_digits(const unsigned char* d_x, int* d_counts, int rows, int columns) {
  if (columns == 0) return cudaSuccess;
  count_kernel<<<(columns - 1) / 128 + 1, 128>>>(d_x, d_counts, rows, columns);
  return cudaGetLastError();
}
