// A picture goes through four kernels: grey, blur, Sobel edges, threshold. uchar4 in, one byte out, streams
// of rows.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void grey(const uchar4* in, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (unsigned char)((in[i].x * 77 + in[i].y * 150 + in[i].z * 29) >> 8);
}

template <int radius>
__global__ void box_blur(const unsigned char* in, unsigned char* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum = 0, count = 0;
#pragma unroll
  for (int dy = -radius; dy <= radius; ++dy)
#pragma unroll
    for (int dx = -radius; dx <= radius; ++dx)
      if (x + dx >= 0 && x + dx < w && y + dy >= 0 && y + dy < h) sum += in[(y + dy) * w + x + dx], ++count;
  out[y * w + x] = sum / count;
}

__global__ void sobel(const unsigned char* in, unsigned char* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int edge = 0;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    const unsigned char* p = in + y * w + x;
    int gx = p[-w + 1] + 2 * p[1] + p[w + 1] - p[-w - 1] - 2 * p[-1] - p[w - 1];
    int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
    edge = min(255, abs(gx) + abs(gy));
  }
  out[y * w + x] = edge;
}

__global__ void threshold(unsigned char* image, int n, int limit, int* above) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool on = i < n && image[i] > limit;
  if (i < n) image[i] = on ? 255 : 0;
  unsigned ballot = __ballot_sync(0xffffffffu, on);
  if (threadIdx.x % 32 == 0 && ballot != 0) atomicAdd(above, __popc(ballot));
}

// The same with plain loops.
static void compare(const std::vector<uchar4>& picture, const std::vector<unsigned char>& out, int w, int h,
                    int& expected, int& wrong) {
  const int n = w * h;
  std::vector<int> g(n), s(n);
  for (int i = 0; i < n; ++i) g[i] = (picture[i].x * 77 + picture[i].y * 150 + picture[i].z * 29) >> 8;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int sum = 0, count = 0;
      for (int k = 0; k < 9; ++k) {
        int cx = x + k % 3 - 1, cy = y + k / 3 - 1;
        if (cx >= 0 && cx < w && cy >= 0 && cy < h) sum += g[cy * w + cx], ++count;
      }
      s[y * w + x] = sum / count;
    }
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int e = 0;
      if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
        auto p = [&](int dx, int dy) { return s[(y + dy) * w + x + dx]; };
        e = std::abs(p(1, -1) + 2 * p(1, 0) + p(1, 1) - p(-1, -1) - 2 * p(-1, 0) - p(-1, 1)) +
            std::abs(p(-1, 1) + 2 * p(0, 1) + p(1, 1) - p(-1, -1) - 2 * p(0, -1) - p(1, -1));
      }
      expected += e > 90;
      wrong += (out[y * w + x] != 0) != (e > 90);
    }
}

int main() {
  const int w = 64, h = 40, n = w * h;
  std::vector<uchar4> picture(n);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      bool disc = (x - 22) * (x - 22) + (y - 20) * (y - 20)<150, box = x> 40 && x < 56 && y > 8 && y < 32;
      picture[y * w + x] = disc  ? make_uchar4(230, 200, 40, 255)
                           : box ? make_uchar4(40, 60, 220, 255)
                                 : make_uchar4(x * 2, y * 3, 20, 255);
    }
  uchar4* d_picture;
  unsigned char *a, *b;
  int *d_above, above = 0;
  cudaMalloc(&d_picture, n * sizeof(uchar4));
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  cudaMalloc(&d_above, sizeof(int));
  cudaMemcpy(d_picture, picture.data(), n * sizeof(uchar4), cudaMemcpyHostToDevice);
  cudaMemset(d_above, 0, sizeof(int));
  dim3 block(16, 8), grid((w + 15) / 16, (h + 7) / 8);
  grey<<<(n + 127) / 128, 128>>>(d_picture, a, n);
  box_blur<1><<<grid, block>>>(a, b, w, h);
  sobel<<<grid, block>>>(b, a, w, h);
  threshold<<<(n + 127) / 128, 128>>>(a, n, 90, d_above);
  std::vector<unsigned char> out(n);
  cudaMemcpy(out.data(), a, n, cudaMemcpyDeviceToHost);
  cudaMemcpy(&above, d_above, sizeof above, cudaMemcpyDeviceToHost);

  int expected = 0, wrong = 0;
  compare(picture, out, w, h, expected, wrong);
  for (int y = 0; y < h; y += 2) {
    for (int x = 0; x < w; ++x) std::putchar(out[y * w + x] ? '#' : '.');
    std::putchar('\n');
  }
  std::printf("%d edge pixels (%d), %d wrong\n", above, expected, wrong);
  cudaFree(d_picture);
  cudaFree(a);
  cudaFree(b);
  cudaFree(d_above);
  return wrong;
}
