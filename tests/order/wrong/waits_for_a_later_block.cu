// kind: endless_kernel
// says: blocks have not begun
//
// Block 0 waits for the last block of a grid that doesn't fit: the order of blocks is no promise.
#include <cstdio>

__global__ void pass(int* flag, int* out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x < gridDim.x - 1) {
      while (atomicAdd(flag, 0) == 0) {  // <- here
      }
    } else {
      atomicExch(flag, 1);
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
  const int blocks = 132 * 2 + 40;
  int *flag, *out;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, blocks * 1024 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  pass<<<blocks, 1024>>>(flag, out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
