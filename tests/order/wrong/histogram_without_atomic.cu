// kind: race_global
// says: nothing orders the two blocks
//
// Bins in global memory, counted up by blocks without atomics.
#include <cstdio>

__global__ void histogram(const unsigned char* in, int n, int* bins) {
  const int i = blockIdx.x;
  if (i < n) bins[in[i]]++;  // <- here
}

int main() {
  const int n = 200;
  unsigned char host[n], *in;
  int* bins;
  for (int i = 0; i < n; ++i) host[i] = i % 16;
  cudaMalloc(&in, n);
  cudaMalloc(&bins, 16 * sizeof(int));
  cudaMemcpy(in, host, n, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, 16 * sizeof(int));
  histogram<<<n, 1>>>(in, n, bins);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
