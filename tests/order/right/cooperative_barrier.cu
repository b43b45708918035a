// The same with cooperative groups: launched so that the runtime proves that all blocks fit.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void rounds(int* a, int* b, int n, int count) {
  cg::grid_group grid = cg::this_grid();
  for (int k = 0; k < count; ++k) {
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      b[i] = (a[(i + n - 1) % n] + 2 * a[i] + a[(i + 1) % n]) % 997;
    grid.sync();
    int* other = a;
    a = b;
    b = other;
  }
}

int main() {
  int n = 5000, count = 6, device = 0, cooperative = 0, per_sm = 0, sms = 0;
  cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, rounds, 128, 0);
  if (!cooperative || per_sm * sms < 40) {
    std::printf("no cooperative launch of 40 blocks\n");
    return 1;
  }
  std::vector<int> now(n), next(n);
  for (int i = 0; i < n; ++i) now[i] = i % 31;
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMemcpy(a, now.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  void* arguments[] = {&a, &b, &n, &count};
  cudaError_t error = cudaLaunchCooperativeKernel(rounds, dim3(40), dim3(128), arguments, 0, nullptr);
  std::printf("%s\n", cudaGetErrorName(error));
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < n; ++i) next[i] = (now[(i + n - 1) % n] + 2 * now[i] + now[(i + 1) % n]) % 997;
    now.swap(next);
  }
  cudaMemcpy(next.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("element 4999: %d; %s\n", next[4999], next == now ? "right" : "WRONG");
  cudaFree(a);
  cudaFree(b);
  return next != now;
}
