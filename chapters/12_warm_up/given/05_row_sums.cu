// 12.5, given: the sum of each row of a matrix, with blocks of any size that is a power of two.
//
// One block takes one row. Its threads step through the row together, then add up what they have in shared memory.
#include <cuda_runtime.h>

__global__ void row_sums_kernel(const float* d_x, float* d_sums, int columns) {
  extern __shared__ float part[];
  const float* row = d_x + static_cast<long long>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += row[c];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) d_sums[blockIdx.x] = part[0];
}

// Does not wait. Returns the launch's error, and leaves it where the runtime keeps it (1.5).
cudaError_t launch_row_sums(int block, const float* d_x, float* d_sums, int rows, int columns) {
  row_sums_kernel<<<rows, block, block * sizeof(float)>>>(d_x, d_sums, columns);
  return cudaPeekAtLastError();
}
