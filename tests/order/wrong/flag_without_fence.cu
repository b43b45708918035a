// kind: race_global
// says: nothing orders the two blocks
//
// A producer and a consumer with a flag, but no fence between the data and the flag.
#include <cstdio>

__global__ void pass(int* data, int* flag, int* sum) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(flag, 1);  // missing before it: __threadfence()
  } else {
    if (threadIdx.x == 0)
      while (atomicAdd(flag, 0) == 0) {
      }
    __syncthreads();
    atomicAdd(sum, data[threadIdx.x]);  // <- here
  }
}

int main() {
  int *data, *flag, got;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&flag, 2 * sizeof(int));
  cudaMemset(flag, 0, 2 * sizeof(int));
  pass<<<2, 64>>>(data, flag, flag + 1);
  cudaMemcpy(&got, flag + 1, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%d\n", got);
  return 0;
}
