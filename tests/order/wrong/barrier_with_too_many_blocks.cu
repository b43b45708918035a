// kind: endless_kernel
// says: blocks have not begun
//
// A barrier over the grid made by hand, and more blocks than the device can hold: those that wait keep the
// others out.
#include <cstdio>

__device__ unsigned arrived = 0;

__global__ void step(int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] + 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x) {  // <- here
    }
    __threadfence();
  }
  __syncthreads();
  if (i < n) a[i] = b[(i + blockDim.x) % n];
}

int main() {
  const int blocks = 132 * 2 + 1, n = blocks * 1024;
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMemset(a, 0, n * sizeof(int));
  step<<<blocks, 1024>>>(a, b, n);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
