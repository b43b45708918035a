// kind: race_global
// says: nothing orders the two blocks
//
// A lock that is taken with an atomic and given back with one, but what it guards is not fenced.
#include <cstdio>

__global__ void deposit(int* lock, int* balance) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *balance += 1;  // <- here
  atomicExch(lock, 0);
}

int main() {
  int* d;
  cudaMalloc(&d, 2 * sizeof(int));
  cudaMemset(d, 0, 2 * sizeof(int));
  deposit<<<20, 32>>>(d, d + 1);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
