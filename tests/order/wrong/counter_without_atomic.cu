// kind: race_global
// says: nothing orders the two blocks
//
// All blocks count with an ordinary addition.
#include <cstdio>

__global__ void count(const int* in, int n, int* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0 && i < n) *found += in[i];  // <- here
}

int main() {
  const int n = 1024;
  int host[n], *in, *found, got;
  for (int i = 0; i < n; ++i) host[i] = 1;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&found, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(found, 0, sizeof(int));
  count<<<8, 128>>>(in, n, found);
  cudaMemcpy(&got, found, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%d\n", got);
  return 0;
}
