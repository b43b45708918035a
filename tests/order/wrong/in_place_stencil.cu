// kind: race_global
// says: nothing orders the two blocks
//
// Life in one array: some cells are already those of the next generation when their neighbours look.
#include <cstdio>

__global__ void smooth(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= n - 1) return;
  x[i] = (x[i - 1] + x[i + 1]) / 2;  // <- here
}

int main() {
  const int n = 33;  // one thread a block, so that only blocks meet
  int host[n], *x;
  for (int i = 0; i < n; ++i) host[i] = i * 37 % 100;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  smooth<<<n, 1>>>(x, n);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
