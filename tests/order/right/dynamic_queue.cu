// Work that makes work: a node pushes its children; threads poll a queue whose entries are published by an
// atomic.
#include <cstdio>

constexpr int CAPACITY = 4096;

struct Queue {
  int head, tail, open;  // open: nodes pushed and not yet finished
  int nodes[CAPACITY];   // 0: not yet published
};

__global__ void walk(Queue* q, int limit, int* visited) {
  if (threadIdx.x != 0) return;
  for (;;) {
    const int place = atomicAdd(&q->head, 1);
    if (place >= CAPACITY) return;
    int node;
    while ((node = atomicAdd(&q->nodes[place], 0)) == 0) {
      if (atomicAdd(&q->open, 0) == 0) return;
    }
    for (int child = 2 * node; child <= 2 * node + 1; ++child) {
      if (child > limit) continue;
      atomicAdd(&q->open, 1);
      atomicExch(&q->nodes[atomicAdd(&q->tail, 1)], child);
    }
    atomicAdd(&visited[node], 1);
    atomicSub(&q->open, 1);
  }
}

int main() {
  const int limit = 1000;
  Queue *d_q, *q = new Queue{};
  int *d_visited, visited[limit + 1];
  q->tail = 1;
  q->open = 1;
  q->nodes[0] = 1;
  cudaMalloc(&d_q, sizeof(Queue));
  cudaMalloc(&d_visited, sizeof visited);
  cudaMemcpy(d_q, q, sizeof(Queue), cudaMemcpyHostToDevice);
  cudaMemset(d_visited, 0, sizeof visited);
  walk<<<10, 32>>>(d_q, limit, d_visited);
  cudaError_t error = cudaMemcpy(visited, d_visited, sizeof visited, cudaMemcpyDeviceToHost);
  int once = 0;
  for (int k = 1; k <= limit; ++k) once += visited[k] == 1;
  std::printf("%s: %d of %d nodes visited once\n", cudaGetErrorName(error), once, limit);
  cudaFree(d_q);
  cudaFree(d_visited);
  delete q;
  return once != limit;
}
