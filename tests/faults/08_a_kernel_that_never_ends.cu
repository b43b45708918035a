// kind: endless_kernel
// block: 0  thread: 0
// says: end
#include <cstdio>

__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {  // <- here
  }
}

int main() {
  int* d_flag = nullptr;
  cudaMalloc(&d_flag, sizeof(int));
  cudaMemset(d_flag, 0, sizeof(int));
  wait_for<<<1, 1>>>(d_flag);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
