// Breadth-first search, level by level: a frontier queue that is filled with atomics.
#include <cstdio>
#include <queue>
#include <utility>
#include <vector>

__global__ void expand(const int* row, const int* edge, int* level, int depth, const int* frontier, int size,
                       int* next, int* next_size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  int v = frontier[i];
  for (int e = row[v]; e < row[v + 1]; ++e) {
    int w = edge[e];
    if (atomicCAS(&level[w], -1, depth + 1) == -1) next[atomicAdd(next_size, 1)] = w;
  }
}

int main() {
  const int n = 5000;
  std::vector<std::vector<int>> graph(n);
  unsigned s = 99;
  for (int v = 0; v < n; ++v) {
    for (int k = 0; k < 3; ++k) {
      s = s * 1103515245u + 12345u;
      int w = (v + (s >> 16) % 200) % n;
      graph[v].push_back(w);
      graph[w].push_back(v);
    }
  }
  std::vector<int> row(1, 0), edge;
  for (auto& neighbours : graph) {
    edge.insert(edge.end(), neighbours.begin(), neighbours.end());
    row.push_back(edge.size());
  }
  std::vector<int> expected(n, -1), level(n, -1);
  std::queue<int> q;
  q.push(0);
  expected[0] = 0;
  while (!q.empty()) {
    int v = q.front();
    q.pop();
    for (int w : graph[v])
      if (expected[w] < 0) expected[w] = expected[v] + 1, q.push(w);
  }

  int *d_row, *d_edge, *d_level, *d_now, *d_next, *d_size;
  cudaMalloc(&d_row, row.size() * sizeof(int));
  cudaMalloc(&d_edge, edge.size() * sizeof(int));
  cudaMalloc(&d_level, n * sizeof(int));
  cudaMalloc(&d_now, n * sizeof(int));
  cudaMalloc(&d_next, n * sizeof(int));
  cudaMalloc(&d_size, sizeof(int));
  cudaMemcpy(d_row, row.data(), row.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_edge, edge.data(), edge.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_level, -1, n * sizeof(int));
  int zero = 0, size = 1;
  cudaMemcpy(d_level, &zero, sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_now, &zero, sizeof(int), cudaMemcpyHostToDevice);
  for (int depth = 0; size > 0; ++depth) {
    std::printf("depth %2d: %4d vertices\n", depth, size);
    cudaMemset(d_size, 0, sizeof(int));
    expand<<<(size + 127) / 128, 128>>>(d_row, d_edge, d_level, depth, d_now, size, d_next, d_size);
    cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost);
    std::swap(d_now, d_next);
  }
  cudaMemcpy(level.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", level == expected ? "levels as on the CPU" : "WRONG levels");
  for (int* p : {d_row, d_edge, d_level, d_now, d_next, d_size}) cudaFree(p);
  return level != expected;
}
