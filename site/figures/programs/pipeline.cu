// Eight chunks are copied in, worked on, and copied out: in one stream, or in three (`lanes` is the argument). The
// program behind the timeline of that name (site/figures/timelines.py).
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>

constexpr int chunks = 8, floats = 1 << 18, most_lanes = 3;

// Few threads, so that a chunk takes about as long on the device as on its way.
__global__ void work(float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = x[i];
    for (int k = 0; k < 4; ++k) v = v * 0.99f + 0.01f;
    x[i] = v;
  }
}

int main(int count, char** arguments) {
  const int lanes = count > 1 ? std::atoi(arguments[1]) : 1;
  if (lanes < 1 || lanes > most_lanes) return 2;
  float *h = nullptr, *d[most_lanes] = {};
  cudaStream_t stream[most_lanes] = {};
  cudaMallocHost(&h, sizeof(float) * floats * chunks);
  for (int i = 0; i < floats * chunks; ++i) h[i] = 1.0f;
  for (int l = 0; l < lanes; ++l) {
    cudaMalloc(&d[l], sizeof(float) * floats);
    cudaStreamCreateWithFlags(&stream[l], cudaStreamNonBlocking);
  }
  work<<<1, 1>>>(nullptr, 0);  // the code is loaded here, not in the picture
  cudaDeviceSynchronize();
  nvtxRangePushA("eight chunks");
  for (int c = 0; c < chunks; ++c) {
    const int l = c % lanes;
    float* chunk = h + std::size_t(c) * floats;
    cudaMemcpyAsync(d[l], chunk, sizeof(float) * floats, cudaMemcpyHostToDevice, stream[l]);
    work<<<16, 256, 0, stream[l]>>>(d[l], floats);
    cudaMemcpyAsync(chunk, d[l], sizeof(float) * floats, cudaMemcpyDeviceToHost, stream[l]);
  }
  cudaDeviceSynchronize();
  nvtxRangePop();
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
