// k-means of points on a plane: assign, add up with atomics, move the centres, until nothing moves.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#define K 4

struct Point {
  int x, y;  // in thousandths, so that sums are exact
};
struct Sums {
  long long x[K], y[K];
  int count[K];
  int changed;
};

__host__ __device__ int nearest(Point p, const Point* centres) {
  int best = 0;
  long long least = 1ll << 62;
  for (int k = 0; k < K; ++k) {
    const long long dx = p.x - centres[k].x, dy = p.y - centres[k].y, d = dx * dx + dy * dy;
    if (d < least) least = d, best = k;
  }
  return best;
}

__global__ void assign(const Point* points, int n, const Point* centres, int* owner, Sums* sums) {
  __shared__ unsigned long long sx[K], sy[K];
  __shared__ int count[K], changed;
  if (threadIdx.x < K) sx[threadIdx.x] = sy[threadIdx.x] = count[threadIdx.x] = 0;
  if (threadIdx.x == 0) changed = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int k = nearest(points[i], centres);
    if (owner[i] != k) {
      owner[i] = k;
      atomicAdd(&changed, 1);
    }
    atomicAdd(&sx[k], (unsigned long long)points[i].x);
    atomicAdd(&sy[k], (unsigned long long)points[i].y);
    atomicAdd(&count[k], 1);
  }
  __syncthreads();
  if (threadIdx.x < K) {
    atomicAdd((unsigned long long*)&sums->x[threadIdx.x], sx[threadIdx.x]);
    atomicAdd((unsigned long long*)&sums->y[threadIdx.x], sy[threadIdx.x]);
    atomicAdd(&sums->count[threadIdx.x], count[threadIdx.x]);
  }
  if (threadIdx.x == 0) atomicAdd(&sums->changed, changed);
}

__global__ void move_centres(Point* centres, const Sums* sums) {
  const int k = threadIdx.x;
  if (sums->count[k] > 0) {
    centres[k].x = (int)(sums->x[k] / sums->count[k]);
    centres[k].y = (int)(sums->y[k] / sums->count[k]);
  }
}

int main() {
  const int n = 6000;
  std::vector<Point> points(n);
  const Point middles[K] = {{1000, 1000}, {8000, 2000}, {4000, 7000}, {9000, 9000}};
  unsigned s = 7;
  auto random = [&] { return (int)((s = s * 1664525u + 1013904223u) >> 20) - 2048; };
  for (int i = 0; i < n; ++i) {
    const Point m = middles[i % K];
    points[i].x = m.x + (random() + random()) / 3;
    points[i].y = m.y + (random() + random()) / 3;
  }
  Point start[K], *d_points, *d_centres, centres[K];
  for (int k = 0; k < K; ++k) start[k] = points[k * 4];
  int* d_owner;
  Sums *d_sums, sums;
  cudaMalloc(&d_points, n * sizeof(Point));
  cudaMalloc(&d_centres, sizeof start);
  cudaMalloc(&d_owner, n * sizeof(int));
  cudaMalloc(&d_sums, sizeof(Sums));
  cudaMemcpy(d_points, points.data(), n * sizeof(Point), cudaMemcpyHostToDevice);
  cudaMemcpy(d_centres, start, sizeof start, cudaMemcpyHostToDevice);
  cudaMemset(d_owner, 0xff, n * sizeof(int));
  int round = 0;
  do {
    cudaMemset(d_sums, 0, sizeof(Sums));
    assign<<<(n + 255) / 256, 256>>>(d_points, n, d_centres, d_owner, d_sums);
    move_centres<<<1, K>>>(d_centres, d_sums);
    cudaMemcpy(&sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    std::printf("round %d: %d points changed\n", round, sums.changed);
  } while (sums.changed > 0 && ++round < 50);
  cudaMemcpy(centres, d_centres, sizeof centres, cudaMemcpyDeviceToHost);

  // The same on the CPU.
  std::vector<int> owner(n, -1);
  for (int changed = 1; changed;) {
    Sums t;
    std::memset(&t, 0, sizeof t);
    changed = 0;
    for (int i = 0; i < n; ++i) {
      const int k = nearest(points[i], start);
      changed += owner[i] != k;
      owner[i] = k;
      t.x[k] += points[i].x, t.y[k] += points[i].y, t.count[k]++;
    }
    for (int k = 0; k < K; ++k)
      if (t.count[k]) start[k] = {(int)(t.x[k] / t.count[k]), (int)(t.y[k] / t.count[k])};
  }
  int wrong = 0;
  for (int k = 0; k < K; ++k) {
    std::printf("centre %d at (%.3f, %.3f) with %d points\n", k, centres[k].x / 1000.0, centres[k].y / 1000.0,
                sums.count[k]);
    wrong += centres[k].x != start[k].x || centres[k].y != start[k].y;
  }
  cudaFree(d_points);
  cudaFree(d_centres);
  cudaFree(d_owner);
  cudaFree(d_sums);
  return wrong;
}
