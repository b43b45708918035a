// Memory that is allocated and freed in stream order, host functions in a stream, and streams that wait for
// events.
#include <cstdio>
#include <vector>

__global__ void fill(int* x, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value + i;
}
__global__ void add(const int* x, int* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}

struct Log {
  std::vector<int> steps;
};
struct Entry {
  Log* log;
  int step;
};
static void note(void* data) {
  Entry* e = static_cast<Entry*>(data);
  e->log->steps.push_back(e->step);
}

int main() {
  const int n = 1000, rounds = 4;
  cudaStream_t producer, consumer;
  cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking);
  int *sums, host[rounds];
  cudaMalloc(&sums, rounds * sizeof(int));
  cudaMemset(sums, 0, rounds * sizeof(int));
  cudaDeviceSynchronize();
  Log log;
  Entry entries[rounds];
  cudaEvent_t ready[rounds];
  for (int r = 0; r < rounds; ++r) {
    cudaEventCreateWithFlags(&ready[r], cudaEventDisableTiming);
    int* temporary;
    cudaMallocAsync(&temporary, n * sizeof(int), producer);
    fill<<<(n + 127) / 128, 128, 0, producer>>>(temporary, n, r * 10);
    cudaEventRecord(ready[r], producer);
    cudaStreamWaitEvent(consumer, ready[r], 0);
    add<<<(n + 127) / 128, 128, 0, consumer>>>(temporary, sums + r, n);
    entries[r] = {&log, r};
    cudaLaunchHostFunc(consumer, note, &entries[r]);
    cudaFreeAsync(temporary, consumer);
  }
  cudaStreamSynchronize(consumer);
  cudaMemcpyAsync(host, sums, sizeof host, cudaMemcpyDeviceToHost, consumer);
  cudaStreamSynchronize(consumer);
  int wrong = 0;
  for (int r = 0; r < rounds; ++r) {
    wrong += host[r] != n * r * 10 + n * (n - 1) / 2;
    std::printf("round %d: sum %d\n", r, host[r]);
  }
  std::printf("host functions ran in the order");
  for (int s : log.steps) std::printf(" %d", s);
  std::printf("\nproducer idle: %s\n", cudaGetErrorName(cudaStreamQuery(producer)));
  for (auto& e : ready) cudaEventDestroy(e);
  cudaFree(sums);
  cudaStreamDestroy(producer);
  cudaStreamDestroy(consumer);
  return wrong;
}
