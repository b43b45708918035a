// Planted cause: the host waits for the device after each small kernel, though nothing needs it to. With any
// argument it waits once, at the end.
#include <cuda_runtime.h>

__global__ void step(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * 0.5f + 1.0f;
}

int main(int argc, char**) {
  const bool mended = argc > 1;
  const int n = 1 << 14;
  float* device = nullptr;
  cudaMalloc(&device, n * sizeof(float));
  cudaMemset(device, 0, n * sizeof(float));
  for (int i = 0; i < 200; ++i) {
    step<<<(n + 255) / 256, 256>>>(device, n);
    if (!mended) cudaDeviceSynchronize();
  }
  cudaDeviceSynchronize();
  return cudaFree(device) == cudaSuccess ? 0 : 1;
}
