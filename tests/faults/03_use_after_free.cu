// kind: use_after_free
// block: 0  thread: 0
// says: freed
#include <cstdio>

__global__ void fill(int* y) {
  y[threadIdx.x] = 7;  // <- here
}

int main() {
  int* d_y = nullptr;
  cudaMalloc(&d_y, 64 * sizeof(int));
  cudaFree(d_y);
  fill<<<1, 64>>>(d_y);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
