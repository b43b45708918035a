// wrong: one array for all columns of a block, without a race: it counts the block, not the column
// verdict: wrong
// code: counts_too_much
// message: add up to
#include <cuda_runtime.h>

constexpr int digits = 16;

// One thread for each column.
__global__ void count_kernel(const unsigned char* d_x, int* d_counts, int rows, int columns) {
  __shared__ int counts[digits];
  for (int d = threadIdx.x; d < digits; d += blockDim.x) counts[d] = 0;
  __syncthreads();
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; column < columns && row < rows; ++row) atomicAdd(&counts[d_x[row * columns + column]], 1);
  __syncthreads();
  for (int d = 0; column < columns && d < digits; ++d) d_counts[d * columns + column] = counts[d];
}

// d_counts[d * columns + c] is how often the digit d, from 0 to 15, stands in column c of the rows x columns
// values at d_x; rows and columns from 0 up, at most 2^30 values. Does not wait for the device. Returns the
// first error.
cudaError_t count_digits(const unsigned char* d_x, int* d_counts, int rows, int columns) {
  if (columns == 0) return cudaSuccess;
  count_kernel<<<(columns - 1) / 256 + 1, 256>>>(d_x, d_counts, rows, columns);
  return cudaGetLastError();
}
