// Ten steps on the same data. Without an argument each step allocates, copies in, works, copies out and frees;
// with one, all but the work stands outside of the loop. The program behind the timeline of that name (site/figures/timelines.py).
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <vector>

constexpr int steps = 10, floats = 1 << 18;

__global__ void step(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * 0.5f + 1.0f;
}

int main(int count, char**) {
  const bool hoisted = count > 1;
  std::vector<float> h(floats, 1.0f);
  const std::size_t bytes = sizeof(float) * floats;
  float* d = nullptr;
  cudaFree(nullptr);  // the context is made here, not in the picture
  step<<<1, 1>>>(nullptr, 0);
  cudaDeviceSynchronize();
  if (hoisted) {
    cudaMalloc(&d, bytes);
    cudaMemcpy(d, h.data(), bytes, cudaMemcpyHostToDevice);
  }
  for (int s = 0; s < steps; ++s) {
    nvtxRangePushA("step");
    if (!hoisted) {
      cudaMalloc(&d, bytes);
      cudaMemcpy(d, h.data(), bytes, cudaMemcpyHostToDevice);
    }
    step<<<floats / 256, 256>>>(d, floats);
    if (!hoisted) {
      cudaMemcpy(h.data(), d, bytes, cudaMemcpyDeviceToHost);
      cudaFree(d);
    }
    nvtxRangePop();
  }
  if (hoisted) {
    cudaMemcpy(h.data(), d, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
  }
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
