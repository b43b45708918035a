// Levenshtein distance: a block goes over the table by antidiagonals, three of which it keeps in shared
// memory.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

__constant__ char word_a[256], word_b[256];

__global__ void distance(int rows, int columns, int* result) {
  extern __shared__ int lines[];
  int *before_last = lines, *last = lines + rows + 1, *now = lines + 2 * (rows + 1);
  for (int d = 0; d <= rows + columns; ++d) {
    for (int r = threadIdx.x; r <= rows; r += blockDim.x) {
      const int c = d - r;
      if (c < 0 || c > columns) continue;
      if (r == 0 || c == 0) {
        now[r] = r + c;
      } else {
        const int change = before_last[r - 1] + (word_a[r - 1] != word_b[c - 1]);
        now[r] = min(change, min(last[r - 1], last[r]) + 1);
      }
    }
    __syncthreads();
    int* free_one = before_last;
    before_last = last;
    last = now;
    now = free_one;
  }
  if (threadIdx.x == 0) *result = last[rows];
}

static int on_cpu(const char* a, const char* b) {
  const int n = std::strlen(a), m = std::strlen(b);
  std::vector<std::vector<int>> t(n + 1, std::vector<int>(m + 1));
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= m; ++j)
      t[i][j] = i == 0 || j == 0
                    ? i + j
                    : std::min({t[i - 1][j] + 1, t[i][j - 1] + 1, t[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
  return t[n][m];
}

int main() {
  const char* pairs[][2] = {
      {"kitten", "sitting"},
      {"flaw", "lawn"},
      {"a", "a"},
      {"intention of the execution", "execution of the intention"},
      {"the quick brown fox jumps over the lazy dog and then over many other animals too",
       "a quick brown dog jumped over some lazy foxes and then slept under another tree"}};
  int *d_result, result, wrong = 0;
  cudaMalloc(&d_result, sizeof(int));
  for (auto& pair : pairs) {
    const int rows = std::strlen(pair[0]), columns = std::strlen(pair[1]);
    cudaMemcpyToSymbol(word_a, pair[0], rows);
    cudaMemcpyToSymbol(word_b, pair[1], columns);
    distance<<<1, 64, 3 * (rows + 1) * sizeof(int)>>>(rows, columns, d_result);
    cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("%2d changes from \"%.20s\" to \"%.20s\"\n", result, pair[0], pair[1]);
    wrong += result != on_cpu(pair[0], pair[1]);
  }
  cudaFree(d_result);
  return wrong;
}
