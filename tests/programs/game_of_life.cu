// Conway's Game of Life on a torus: a glider and a blinker, printed every few generations.
#include <cstdio>
#include <utility>
#include <vector>

const int W = 24, H = 12;

__global__ void generation(const unsigned char* now, unsigned char* next) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) neighbours += now[(y + dy + H) % H * W + (x + dx + W) % W];
  next[y * W + x] = neighbours == 3 || (neighbours == 2 && now[y * W + x]);
}

static void step_on_cpu(std::vector<unsigned char>& cells) {
  std::vector<unsigned char> next(cells.size());
  for (int y = 0; y < H; ++y) {
    for (int x = 0; x < W; ++x) {
      int alive = -cells[y * W + x];
      for (int k = 0; k < 9; ++k) alive += cells[(y + k / 3 - 1 + H) % H * W + (x + k % 3 - 1 + W) % W];
      next[y * W + x] = alive == 3 || (alive == 2 && cells[y * W + x]);
    }
  }
  cells.swap(next);
}

static void show(const std::vector<unsigned char>& cells, int generation) {
  std::printf("generation %d\n", generation);
  for (int y = 0; y < H; ++y) {
    for (int x = 0; x < W; ++x) std::putchar(cells[y * W + x] ? '#' : '.');
    std::putchar('\n');
  }
}

int main() {
  std::vector<unsigned char> cells(W * H, 0);
  for (auto [x, y] : {std::pair{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}, {14, 6}, {15, 6}, {16, 6}})
    cells[y * W + x] = 1;
  auto reference = cells;

  unsigned char *now, *next;
  cudaMalloc(&now, W * H);
  cudaMalloc(&next, W * H);
  cudaMemcpy(now, cells.data(), W * H, cudaMemcpyHostToDevice);
  dim3 block(8, 8), grid((W + 7) / 8, (H + 7) / 8);
  int wrong = 0;
  for (int g = 0; g <= 60; ++g) {
    if (g % 20 == 0) {
      cudaMemcpy(cells.data(), now, W * H, cudaMemcpyDeviceToHost);
      show(cells, g);
      wrong += cells != reference;
    }
    generation<<<grid, block>>>(now, next);
    std::swap(now, next);
    step_on_cpu(reference);
  }
  std::printf("%s\n", wrong ? "differs from the CPU" : "the CPU agrees");
  cudaFree(now);
  cudaFree(next);
  return wrong;
}
