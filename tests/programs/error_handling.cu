// What goes wrong and how one learns of it: bad arguments, bad launches, errors that are kept and errors that
// go.
#include <cstdio>

__global__ void nothing() {}
__global__ void __launch_bounds__(128) bounded(int* x) {
  x[threadIdx.x] = 1;
}
__global__ void too_much_shared() {
  extern __shared__ int s[];
  s[threadIdx.x] = 0;
}

static void show(const char* what, cudaError_t e) {
  std::printf("%-28s %s: %s\n", what, cudaGetErrorName(e), cudaGetErrorString(e));
}

int main() {
  void* p = nullptr;
  show("malloc of too much", cudaMalloc(&p, 1ull << 50));
  show("peek", cudaPeekAtLastError());
  show("get", cudaGetLastError());
  show("get again", cudaGetLastError());
  show("malloc to nowhere", cudaMalloc((void**)nullptr, 16));
  cudaGetLastError();
  show("free of null", cudaFree(nullptr));
  nothing<<<1, 2048>>>();
  show("2048 threads", cudaGetLastError());
  nothing<<<0, 32>>>();
  show("no blocks", cudaGetLastError());
  nothing<<<dim3(1, 70000), 32>>>();
  show("70000 blocks in y", cudaGetLastError());
  int* x;
  cudaMalloc(&x, 256 * sizeof(int));
  bounded<<<1, 256>>>(x);
  show("over the launch bounds", cudaGetLastError());
  too_much_shared<<<1, 32, 1 << 20>>>();
  show("1 MB of shared memory", cudaGetLastError());
  nothing<<<1, 32>>>();
  show("a good launch", cudaGetLastError());
  show("synchronise", cudaDeviceSynchronize());
  show("copy of wrong kind", cudaMemcpy(x, x, 4, (cudaMemcpyKind)77));
  show("device 99", cudaSetDevice(99));
  cudaGetLastError();
  int device = -1;
  show("current device", cudaGetDevice(&device));
  cudaFuncAttributes a;
  show("attributes", cudaFuncGetAttributes(&a, bounded));
  std::printf("at most %d threads a block, %zu bytes of shared memory\n", a.maxThreadsPerBlock,
              a.sharedSizeBytes);
  cudaFree(x);
  return device != 0;
}
