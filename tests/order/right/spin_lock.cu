// A lock by compare and swap, taken by one thread of each block; what it guards is plain memory.
#include <cstdio>

struct Account {
  int lock;
  int balance;
  int entries;
};

__device__ void acquire(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ void release(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void deposit(Account* accounts, int count) {
  if (threadIdx.x != 0) return;
  Account* account = &accounts[blockIdx.x % count];
  acquire(&account->lock);
  account->balance += blockIdx.x;
  account->entries += 1;
  release(&account->lock);
}

int main() {
  const int count = 3, blocks = 200;
  Account *d, host[count];
  cudaMalloc(&d, sizeof host);
  cudaMemset(d, 0, sizeof host);
  deposit<<<blocks, 32>>>(d, count);
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  for (int a = 0; a < count; ++a)
    std::printf("account %d: %d in %d entries\n", a, host[a].balance, host[a].entries);
  cudaFree(d);
  return host[0].balance + host[1].balance + host[2].balance == blocks * (blocks - 1) / 2 ? 0 : 1;
}
