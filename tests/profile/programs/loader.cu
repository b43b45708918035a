// Planted cause: the host prepares each batch for a millisecond, and only then is there something to compute.
// With any argument a batch is there at once.
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <chrono>
#include <thread>

__global__ void train(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * 0.5f + 1.0f;
}

int main(int argc, char**) {
  const bool mended = argc > 1;
  const int n = 1 << 16;
  float *pinned = nullptr, *device = nullptr;
  cudaMallocHost(&pinned, n * sizeof(float));
  cudaMalloc(&device, n * sizeof(float));
  for (int batch = 0; batch < 8; ++batch) {
    nvtxRangePushA("batch");
    nvtxRangePushA("load");
    for (int i = 0; i < n; i += 64) pinned[i] = static_cast<float>(batch);
    if (!mended) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // as reading and decoding would
    nvtxRangePop();
    cudaMemcpyAsync(device, pinned, n * sizeof(float), cudaMemcpyHostToDevice);
    train<<<(n + 255) / 256, 256>>>(device, n);
    cudaDeviceSynchronize();
    nvtxRangePop();
  }
  cudaFree(device);
  return cudaFreeHost(pinned) == cudaSuccess ? 0 : 1;
}
