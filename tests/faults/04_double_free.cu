// kind: double_free
// says: freed before
#include <cstdio>

int main() {
  int* d_y = nullptr;
  cudaMalloc(&d_y, 64 * sizeof(int));
  cudaFree(d_y);
  const cudaError_t second = cudaFree(d_y);  // <- here
  std::printf("%s\n", cudaGetErrorName(second));
  return 0;
}
