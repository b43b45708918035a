// Every thread takes the lock, in the form that cannot hang a warp: try, do and release in one turn of the
// loop.
#include <cstdio>

__global__ void count(int* lock, int* value, int* longest) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      volatile int* v = value;
      *v = *v + 1;
      if (static_cast<int>(threadIdx.x) > *(volatile int*)longest) *(volatile int*)longest = threadIdx.x;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  int *d, host[3];
  cudaMalloc(&d, 3 * sizeof(int));
  cudaMemset(d, 0, 3 * sizeof(int));
  count<<<8, 64>>>(d, d + 1, d + 2);
  cudaError_t error = cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s: %d times, greatest %d, lock %d\n", cudaGetErrorName(error), host[1], host[2], host[0]);
  cudaFree(d);
  return host[1] == 512 ? 0 : 1;
}
