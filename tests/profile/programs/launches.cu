// Many small launches, N of them (10000), and how long they took on the host's clock: for what recording
// costs and for how a page of that size behaves.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

__global__ void tick(int* count) {
  if (threadIdx.x == 0) ++*count;
}

int main(int argc, char** argv) {
  const int launches = argc > 1 ? std::atoi(argv[1]) : 10000;
  int* count = nullptr;
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  for (int i = 0; i < 100; ++i) tick<<<1, 32>>>(count);  // what only the first launch pays is over
  cudaDeviceSynchronize();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < launches; ++i) tick<<<1, 32>>>(count);
  cudaDeviceSynchronize();
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  int seen = 0;
  cudaMemcpy(&seen, count, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d launches: %.3f us each\n", launches, time.count() / launches);
  return seen == launches + 100 ? 0 : 1;
}
