// Heat in a plate of float4 rows: explicit steps, shared tiles with a halo, pitched memory, two buffers.
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#define BX 32
#define BY 8

__global__ void step(const float* in, float* out, size_t pitch, int w, int h, float k) {
  __shared__ float t[BY + 2][BX + 2];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  auto at = [&](int cx, int cy) {
    cx = cx < 0 ? 0 : cx >= w ? w - 1 : cx;
    cy = cy < 0 ? 0 : cy >= h ? h - 1 : cy;
    return *(const float*)((const char*)in + cy * pitch + cx * sizeof(float));
  };
  t[ty][tx] = at(x, y);
  if (threadIdx.x == 0) t[ty][0] = at(x - 1, y);
  if (threadIdx.x == BX - 1) t[ty][BX + 1] = at(x + 1, y);
  if (threadIdx.y == 0) t[0][tx] = at(x, y - 1);
  if (threadIdx.y == BY - 1) t[BY + 1][tx] = at(x, y + 1);
  __syncthreads();
  if (x < w && y < h) {
    float* row = (float*)((char*)out + y * pitch);
    row[x] = t[ty][tx] + k * (t[ty - 1][tx] + t[ty + 1][tx] + t[ty][tx - 1] + t[ty][tx + 1] - 4 * t[ty][tx]);
  }
}

int main() {
  const int w = 90, h = 50, steps = 100;
  std::vector<float> host(w * h, 20.0f), reference, next(w * h);
  for (int y = 20; y < 30; ++y)
    for (int x = 40; x < 50; ++x) host[y * w + x] = 500.0f;
  reference = host;
  float *a, *b;
  size_t pitch, same;
  cudaMallocPitch(&a, &pitch, w * sizeof(float), h);
  cudaMallocPitch(&b, &same, w * sizeof(float), h);
  cudaMemcpy2D(a, pitch, host.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  dim3 block(BX, BY), grid((w + BX - 1) / BX, (h + BY - 1) / BY);
  for (int s = 0; s < steps; ++s) {
    step<<<grid, block>>>(a, b, pitch, w, h, 0.2f);
    std::swap(a, b);
  }
  cudaMemcpy2D(host.data(), w * sizeof(float), a, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost);
  for (int s = 0; s < steps; ++s) {
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        auto at = [&](int cx, int cy) {
          cx = cx < 0 ? 0 : cx >= w ? w - 1 : cx;
          cy = cy < 0 ? 0 : cy >= h ? h - 1 : cy;
          return reference[cy * w + cx];
        };
        next[y * w + x] =
            at(x, y) + 0.2f * (at(x, y - 1) + at(x, y + 1) + at(x - 1, y) + at(x + 1, y) - 4 * at(x, y));
      }
    std::swap(reference, next);
  }
  double heat = 0, worst = 0;
  for (int i = 0; i < w * h; ++i) {
    heat += host[i];
    worst = std::fmax(worst, std::fabs(host[i] - reference[i]));
  }
  std::printf("middle %.1f, corner %.1f, mean %.2f, %s\n", host[25 * w + 45], host[0], heat / (w * h),
              worst < 0.01 ? "as on the CPU" : "NOT as on the CPU");
  cudaFree(a);
  cudaFree(b);
  return worst >= 0.01;
}
