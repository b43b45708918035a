// kind: endless_kernel
// says: its loop never ends
//
// A block returns early and keeps the lock: all others wait for ever.
#include <cstdio>

__global__ void deposit(int* lock, int* balance) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {  // <- here
  }
  __threadfence();
  if (*(volatile int*)balance >= 3) return;
  *(volatile int*)balance += 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int* d;
  cudaMalloc(&d, 2 * sizeof(int));
  cudaMemset(d, 0, 2 * sizeof(int));
  deposit<<<8, 32>>>(d, d + 1);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
