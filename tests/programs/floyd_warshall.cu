// All shortest paths by Floyd and Warshall: one launch for each vertex on the way, 2D blocks.
#include <algorithm>
#include <cstdio>
#include <vector>

const int FAR = 1 << 28;

__global__ void through(int* distance, int* next, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n || i == k || j == k) return;
  int way = distance[i * n + k] + distance[k * n + j];
  if (way < distance[i * n + j]) {
    distance[i * n + j] = way;
    next[i * n + j] = next[i * n + k];
  }
}

int main() {
  const int n = 70;
  std::vector<int> d(n * n, FAR), next(n * n, -1);
  unsigned s = 1;
  for (int i = 0; i < n; ++i) {
    d[i * n + i] = 0;
    for (int e = 0; e < 4; ++e) {
      s = s * 1103515245u + 12345u;
      int j = (s >> 16) % n, w = 1 + (s >> 8) % 50;
      if (j != i && w < d[i * n + j]) d[i * n + j] = w, next[i * n + j] = j;
    }
  }
  auto expected = d;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        expected[i * n + j] = std::min(expected[i * n + j], expected[i * n + k] + expected[k * n + j]);
  int *d_d, *d_next;
  cudaMalloc(&d_d, n * n * sizeof(int));
  cudaMalloc(&d_next, n * n * sizeof(int));
  cudaMemcpy(d_d, d.data(), n * n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_next, next.data(), n * n * sizeof(int), cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
  for (int k = 0; k < n; ++k) through<<<grid, block>>>(d_d, d_next, n, k);
  auto start = d;
  cudaMemcpy(d.data(), d_d, n * n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(next.data(), d_next, n * n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0, longest = 0;
  for (int i = 0; i < n * n; ++i) wrong += std::min(d[i], FAR) != std::min(expected[i], FAR);
  for (int v : d)
    if (v < FAR) longest = std::max(longest, v);
  std::printf("from 0 to 42 it is %d; ", d[42]);
  int steps = 0, length = 0;
  for (int at = 0; at != 42 && steps < n; ++steps) {
    int to = next[at * n + 42];
    length += start[at * n + to];
    at = to;
  }
  std::printf("the path adds up to %d; the longest way is %d; %d wrong\n", length, longest, wrong);
  cudaFree(d_d);
  cudaFree(d_next);
  return wrong || length != d[42];
}
