// Longest common subsequence, a block a strip of rows; a block follows the one above it, column by column, by
// a counter.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

constexpr int STRIP = 16;

__global__ void lcs(const char* a, int rows, const char* b, int columns, int* table, int* done) {
  // One thread a strip keeps the dependence plain. table is (rows + 1) x (columns + 1).
  const int first = blockIdx.x * STRIP, width = columns + 1;
  for (int c = 1; c <= columns; ++c) {
    if (blockIdx.x > 0) {
      while (atomicAdd(&done[blockIdx.x - 1], 0) < c) {
      }
      __threadfence();
    }
    for (int r = first + 1; r <= first + STRIP && r <= rows; ++r) {
      table[r * width + c] = a[r - 1] == b[c - 1] ? table[(r - 1) * width + c - 1] + 1
                                                  : max(table[(r - 1) * width + c], table[r * width + c - 1]);
    }
    __threadfence();
    atomicExch(&done[blockIdx.x], c);
  }
}

int main() {
  std::string a, b;
  for (int i = 0; i < 150; ++i) a += "ACGT"[(i * i + i / 3) % 4];
  for (int i = 0; i < 120; ++i) b += "ACGT"[(i * 5 + i * i / 7) % 4];
  const int rows = a.size(), columns = b.size(), blocks = (rows + STRIP - 1) / STRIP,
            cells = (rows + 1) * (columns + 1);
  std::vector<int> table(cells, 0), expected(cells, 0);
  for (int r = 1; r <= rows; ++r)
    for (int c = 1; c <= columns; ++c)
      expected[r * (columns + 1) + c] = a[r - 1] == b[c - 1] ? expected[(r - 1) * (columns + 1) + c - 1] + 1
                                                             : std::max(expected[(r - 1) * (columns + 1) + c],
                                                                        expected[r * (columns + 1) + c - 1]);
  char *da, *db;
  int *d_table, *d_done;
  cudaMalloc(&da, rows);
  cudaMalloc(&db, columns);
  cudaMalloc(&d_table, cells * sizeof(int));
  cudaMalloc(&d_done, blocks * sizeof(int));
  cudaMemcpy(da, a.data(), rows, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), columns, cudaMemcpyHostToDevice);
  cudaMemset(d_table, 0, cells * sizeof(int));
  cudaMemset(d_done, 0, blocks * sizeof(int));
  lcs<<<blocks, 1>>>(da, rows, db, columns, d_table, d_done);
  cudaMemcpy(table.data(), d_table, cells * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("longest common subsequence: %d; table %s\n", table[cells - 1],
              table == expected ? "right" : "WRONG");
  cudaFree(da);
  cudaFree(db);
  cudaFree(d_table);
  cudaFree(d_done);
  return table != expected;
}
