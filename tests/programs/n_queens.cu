// The number of ways to put N queens on a board: a thread for each start of two rows, then backtracking, once
// with a stack in local memory and once by recursion.
#include <cstdio>

__device__ int solve_iterative(int n, unsigned columns, unsigned left, unsigned right) {
  const unsigned all = (1u << n) - 1;
  unsigned stack[16][4];
  int depth = 0, count = 0;
  stack[0][0] = columns;
  stack[0][1] = left;
  stack[0][2] = right;
  stack[0][3] = all & ~(columns | left | right);
  while (depth >= 0) {
    unsigned* top = stack[depth];
    if (top[0] == all) {
      ++count;
      --depth;
      continue;
    }
    if (top[3] == 0) {
      --depth;
      continue;
    }
    const unsigned bit = top[3] & -top[3];
    top[3] ^= bit;
    unsigned* next = stack[++depth];
    next[0] = top[0] | bit;
    next[1] = (top[1] | bit) << 1;
    next[2] = (top[2] | bit) >> 1;
    next[3] = all & ~(next[0] | next[1] | next[2]);
  }
  return count;
}

__device__ int solve_recursive(int n, unsigned columns, unsigned left, unsigned right) {
  const unsigned all = (1u << n) - 1;
  if (columns == all) return 1;
  int count = 0;
  for (unsigned free = all & ~(columns | left | right); free != 0; free &= free - 1) {
    const unsigned bit = free & -free;
    count += solve_recursive(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

__global__ void queens(int n, bool recursive, int* total) {
  const int a = blockIdx.x, b = threadIdx.x;
  if (b >= n || b == a || b == a + 1 || b == a - 1) return;
  const unsigned first = 1u << a, second = 1u << b;
  const unsigned columns = first | second, left = (first << 1 | second) << 1,
                 right = (first >> 1 | second) >> 1;
  const int count =
      recursive ? solve_recursive(n, columns, left, right) : solve_iterative(n, columns, left, right);
  atomicAdd(total, count);
}

int main() {
  const int known[] = {0, 1, 0, 0, 2, 10, 4, 40, 92, 352};
  int* total;
  cudaMalloc(&total, sizeof(int));
  int bad = 0;
  for (int n = 4; n <= 9; ++n) {
    int got[2];
    for (int way = 0; way < 2; ++way) {
      cudaMemset(total, 0, sizeof(int));
      queens<<<n, 32>>>(n, way == 1, total);
      cudaMemcpy(&got[way], total, sizeof(int), cudaMemcpyDeviceToHost);
      bad += got[way] != known[n];
    }
    std::printf("%d queens: %d ways, %d by recursion\n", n, got[0], got[1]);
  }
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(total);
  return bad;
}
