// kind: race_global
// says: nothing orders the two blocks
//
// The ticket is read and then counted up, in two steps.
#include <cstdio>

__global__ void work(int* next, int* owner) {
  if (threadIdx.x == 0) {
    const int mine = *next;  // <- here
    *next = mine + 1;
    owner[mine] = blockIdx.x;
  }
}

int main() {
  int *next, *owner, host[16];
  cudaMalloc(&next, sizeof(int));
  cudaMalloc(&owner, sizeof host);
  cudaMemset(next, 0, sizeof(int));
  cudaMemset(owner, 0xff, sizeof host);
  work<<<16, 32>>>(next, owner);
  cudaMemcpy(host, owner, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  return 0;
}
