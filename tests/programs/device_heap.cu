// malloc, free, new and delete in device code: each thread builds a list of its own, another kernel takes it
// down.
#include <cstdio>
#include <cstring>

struct Item {
  int value;
  Item* next;
};

__global__ void build(Item** heads, int* failed) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  Item* head = nullptr;
  for (int k = 0; k <= t % 5; ++k) {
    Item* item = (Item*)malloc(sizeof(Item));
    if (item == nullptr) {
      atomicAdd(failed, 1);
      break;
    }
    item->value = t * 10 + k;
    item->next = head;
    head = item;
  }
  heads[t] = head;
}

__global__ void take_down(Item** heads, int* sums) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (Item* item = heads[t]; item != nullptr;) {
    sum += item->value;
    Item* next = item->next;
    free(item);
    item = next;
  }
  sums[t] = sum;
}

struct Matrix {
  int n;
  float* data;
  __device__ explicit Matrix(int size) : n(size), data(new float[size * size]) {}
  __device__ ~Matrix() { delete[] data; }
};

__global__ void with_new(float* traces) {
  Matrix* m = new Matrix(threadIdx.x + 1);
  for (int r = 0; r < m->n; ++r)
    for (int c = 0; c < m->n; ++c) m->data[r * m->n + c] = r == c ? r + 1.0f : 0.0f;
  float trace = 0;
  for (int r = 0; r < m->n; ++r) trace += m->data[r * m->n + r];
  traces[threadIdx.x] = trace;
  delete m;
}

int main() {
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
  const int threads = 256;
  Item** heads;
  int *sums, *failed, host[threads], failures = -1, wrong = 0;
  float *traces, host_traces[16];
  cudaMalloc(&heads, threads * sizeof(Item*));
  cudaMalloc(&sums, threads * sizeof(int));
  cudaMalloc(&failed, sizeof(int));
  cudaMalloc(&traces, sizeof host_traces);
  cudaMemset(failed, 0, sizeof(int));
  build<<<2, threads / 2>>>(heads, failed);
  take_down<<<2, threads / 2>>>(heads, sums);
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(&failures, failed, sizeof failures, cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t) {
    const int items = t % 5 + 1;
    wrong += host[t] != items * t * 10 + items * (items - 1) / 2;
  }
  std::printf("lists: %d allocations failed, %d sums wrong, sums[99] = %d\n", failures, wrong, host[99]);
  with_new<<<1, 16>>>(traces);
  cudaMemcpy(host_traces, traces, sizeof host_traces, cudaMemcpyDeviceToHost);
  std::printf("traces: %.0f %.0f %.0f\n", host_traces[0], host_traces[7], host_traces[15]);
  cudaFree(heads);
  cudaFree(sums);
  cudaFree(failed);
  cudaFree(traces);
  return wrong + failures;
}
