// Planted cause: each round copies its piece from pageable memory, and the kernels wait for it. With any
// argument the memory is pinned.
#include <cuda_runtime.h>

#include <vector>

__global__ void scale(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

int main(int argc, char**) {
  const bool mended = argc > 1;
  const int n = 1 << 18;
  std::vector<float> pageable(n, 1.0f);
  float *host = pageable.data(), *device = nullptr;
  if (mended) cudaMallocHost(&host, n * sizeof(float));
  cudaMalloc(&device, n * sizeof(float));
  for (int round = 0; round < 10; ++round) {
    cudaMemcpy(device, host, n * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(device, n);
  }
  cudaDeviceSynchronize();
  return cudaFree(device) == cudaSuccess ? 0 : 1;
}
