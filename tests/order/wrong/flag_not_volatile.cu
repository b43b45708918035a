// kind: race_global
// says: nothing orders the two blocks
//
// The consumer asks an ordinary variable: the compiler may read it once and for all.
#include <cstdio>

__global__ void pass(int* data, int* flag, int* out) {
  if (blockIdx.x == 1) {
    data[0] = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {  // <- here
    }
    __threadfence();
    *out = data[0];
  }
}

int main() {
  int* d;
  cudaMalloc(&d, 3 * sizeof(int));
  cudaMemset(d, 0, 3 * sizeof(int));
  pass<<<2, 1>>>(d, d + 1, d + 2);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
