// wrong: one array in shared memory for all columns of a block
// verdict: wrong
// message: counts
#include <cuda_runtime.h>

constexpr int digits = 16;

// One thread for each column: how often does each digit stand in it? Reads each value once.
__global__ void count_kernel(const unsigned char* d_x, int* d_counts, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  __shared__ int counts[digits];
  if (threadIdx.x < digits) counts[threadIdx.x] = 0;
  __syncwarp();
  for (int row = 0; row < rows; ++row) {
    const int digit = d_x[row * columns + column];
    ++counts[digit];
  }
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
