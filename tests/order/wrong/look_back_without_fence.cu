// kind: race_global
// says: nothing orders the two blocks
//
// Decoupled look-back, value and flag apart, and the fence between them forgotten.
#include <cstdio>

__global__ void chain(const int* in, int* out, int* sums, int* flags) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    int mine = 0;
    for (int k = 0; k < 32; ++k) mine += in[blockIdx.x * 32 + k];
    before = 0;
    if (blockIdx.x > 0) {
      while (atomicAdd(&flags[blockIdx.x - 1], 0) == 0) {
      }
      before = sums[blockIdx.x - 1];  // <- here
    }
    sums[blockIdx.x] = before + mine;
    atomicExch(&flags[blockIdx.x], 1);  // missing before it: __threadfence()
  }
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = before + in[blockIdx.x * 32 + threadIdx.x];
}

int main() {
  const int blocks = 10, n = blocks * 32;
  int host[n], *in, *out, *sums, *flags;
  for (int i = 0; i < n; ++i) host[i] = i % 5;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMalloc(&flags, blocks * sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(flags, 0, blocks * sizeof(int));
  chain<<<blocks, 32>>>(in, out, sums, flags);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
