// kind: race_global
// says: nothing orders the two blocks
//
// The last block adds up what the others left, but nobody sees to it that their sums are there before the
// counter is.
#include <cstdio>

__device__ unsigned finished = 0;

__global__ void sum(const int* in, int n, int* partial, int* result) {
  __shared__ int total;
  __shared__ bool last;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&total, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = total;
    // missing: __threadfence()
    last = atomicAdd(&finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += partial[b];  // <- here
    *result = all;
  }
}

int main() {
  const int n = 1000, blocks = 8;
  int host[n], *in, *partial, *result, got = 0;
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&partial, blocks * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sum<<<blocks, 128>>>(in, n, partial, result);
  cudaMemcpy(&got, result, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%d\n", got);
  cudaFree(in);
  cudaFree(partial);
  cudaFree(result);
  return 0;
}
