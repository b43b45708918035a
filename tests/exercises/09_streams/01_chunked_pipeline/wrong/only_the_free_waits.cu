// wrong: no wait at all, but for that of cudaFree
// verdict: wrong
// code: only_the_free_waits
// message: no wait of yours covers it
// seen: simulated
#include <cuda_runtime.h>

#include <algorithm>

__global__ void soften(float* d, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = d[i];
    for (int r = 0; r < 4; ++r) v = v * 0.75f + 0.25f;
    d[i] = v;
  }
}

// Softens n floats in device memory, in place. It takes 16 blocks, so that it runs about as long as the copies: others
// find room beside it. Given; the check uses it too.
void launch_soften(float* d, int n, cudaStream_t stream) {
  soften<<<16, 256, 0, stream>>>(d, n);
}

// Softens n floats from h_x to h_y, in chunks of `chunk` floats (1 or more); the last one may be shorter. Both arrays are
// pinned host memory. They may be far larger than the device's memory: at any time there is room for at most 8 chunks.
// When it returns, all of it is done, and what it made is given back.
void soften_all(const float* h_x, float* h_y, int n, int chunk) {
  constexpr int lanes = 4;
  cudaStream_t st[lanes];
  float* d[lanes];
  for (int k = 0; k < lanes; ++k) {
    cudaStreamCreateWithFlags(&st[k], cudaStreamNonBlocking);
    cudaMalloc(&d[k], chunk * sizeof(float));
  }
  for (int first = 0, k = 0; first < n; first += chunk, k = (k + 1) % lanes) {
    const int count = std::min(chunk, n - first);
    const size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(d[k], h_x + first, bytes, cudaMemcpyHostToDevice, st[k]);
    launch_soften(d[k], count, st[k]);
    cudaMemcpyAsync(h_y + first, d[k], bytes, cudaMemcpyDeviceToHost, st[k]);
  }
  for (int k = 0; k < lanes; ++k) {
    cudaStreamDestroy(st[k]);
    cudaFree(d[k]);
  }
}
