// kind: race_global
// says: nothing orders the two blocks
//
// Two steps of a stencil in one launch, with a barrier of the block where one of the grid is needed.
#include <cstdio>

__global__ void two_steps(const int* a, int* b, int* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2;  // <- here
  __syncthreads();
  if (i > 0 && i < n) c[i] = b[i] - b[i - 1];  // <- here
}

int main() {
  const int n = 512;
  int host[n], *a, *b, *c;
  for (int i = 0; i < n; ++i) host[i] = i * i;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&c, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sizeof host);
  two_steps<<<4, 128>>>(a, b, c, n);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
