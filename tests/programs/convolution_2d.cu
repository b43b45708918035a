// A 5 x 5 filter in constant memory over an image with pitch; a tile with its halo in dynamic shared memory.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int R = 2, SIDE = 2 * R + 1;
__constant__ int mask[SIDE * SIDE];

__global__ void convolve(const unsigned char* in, size_t in_pitch, int* out, size_t out_pitch, int width,
                         int height) {
  extern __shared__ unsigned char tile[];
  const int tile_w = blockDim.x + 2 * R, tile_h = blockDim.y + 2 * R;
  const int x0 = blockIdx.x * blockDim.x - R, y0 = blockIdx.y * blockDim.y - R;
  for (int k = threadIdx.y * blockDim.x + threadIdx.x; k < tile_w * tile_h; k += blockDim.x * blockDim.y) {
    const int x = min(max(x0 + k % tile_w, 0), width - 1), y = min(max(y0 + k / tile_w, 0), height - 1);
    tile[k] = in[y * in_pitch + x];
  }
  __syncthreads();
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int dy = 0; dy < SIDE; ++dy)
    for (int dx = 0; dx < SIDE; ++dx)
      sum += mask[dy * SIDE + dx] * tile[(threadIdx.y + dy) * tile_w + threadIdx.x + dx];
  int* row = (int*)((char*)out + y * out_pitch);
  row[x] = sum;
}

int main() {
  const int width = 101, height = 67;
  const int filter[SIDE * SIDE] = {0,  0,  -1, 0,  0,  0,  -1, -2, -1, 0,  -1, -2, 16,
                                   -2, -1, 0,  -1, -2, -1, 0,  0,  0,  -1, 0,  0};
  std::vector<unsigned char> image(width * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image[y * width + x] = (x - 50) * (x - 50) + (y - 33) * (y - 33) < 400 ? 200 : (x * 3 + y * 5) % 60;
  unsigned char* d_in;
  int* d_out;
  size_t in_pitch, out_pitch;
  cudaMallocPitch(&d_in, &in_pitch, width, height);
  cudaMallocPitch(&d_out, &out_pitch, width * sizeof(int), height);
  cudaMemcpy2D(d_in, in_pitch, image.data(), width, width, height, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(mask, filter, sizeof filter);
  dim3 block(32, 4), grid((width + 31) / 32, (height + 3) / 4);
  convolve<<<grid, block, (32 + 2 * R) * (4 + 2 * R)>>>(d_in, in_pitch, d_out, out_pitch, width, height);
  std::vector<int> out(width * height);
  cudaMemcpy2D(out.data(), width * sizeof(int), d_out, out_pitch, width * sizeof(int), height,
               cudaMemcpyDeviceToHost);
  int wrong = 0;
  unsigned checksum = 2166136261u;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      int sum = 0;
      for (int k = 0; k < SIDE * SIDE; ++k) {
        const int sx = std::clamp(x + k % SIDE - R, 0, width - 1),
                  sy = std::clamp(y + k / SIDE - R, 0, height - 1);
        sum += filter[k] * image[sy * width + sx];
      }
      wrong += out[y * width + x] != sum;
      checksum = (checksum ^ static_cast<unsigned>(out[y * width + x])) * 16777619u;
    }
  }
  std::printf("edge at (50, 13): %d, inside: %d; checksum %08x; %d wrong\n", out[13 * width + 50],
              out[33 * width + 50], checksum, wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
