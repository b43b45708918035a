// wrong: the flag is set, and the last wait waits for nothing any more: cudaFree does
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

// Softens n floats in device memory, in place, on one SM: there is room for others. Given; the check uses it too.
void launch_soften(float* d, int n, cudaStream_t stream) {
  soften<<<1, 256, 0, stream>>>(d, n);
}

// Somebody's library, compiled elsewhere: notes that chunk number k is under way. It launches a small kernel of its own,
// on memory of its own, in the legacy default stream.
void report(int k);

// Softens n floats from h_x to h_y (pinned) in chunks of `chunk` floats, four at the same time, and reports each chunk
// right after its kernel was launched. When it returns, all of h_y is there, and what it made is given back.
void soften_and_report(const float* h_x, float* h_y, int n, int chunk) {
  constexpr int lanes = 4;
  cudaStream_t streams[lanes];
  float* d[lanes];
  for (int k = 0; k < lanes; ++k) {
    cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking);
    cudaMalloc(&d[k], chunk * sizeof(float));
  }
  for (int first = 0, k = 0; first < n; first += chunk, ++k) {
    const int lane = k % lanes, count = std::min(chunk, n - first);
    const size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(d[lane], h_x + first, bytes, cudaMemcpyHostToDevice, streams[lane]);
    launch_soften(d[lane], count, streams[lane]);
    report(k);
    cudaMemcpyAsync(h_y + first, d[lane], bytes, cudaMemcpyDeviceToHost, streams[lane]);
  }
  cudaStreamSynchronize(cudaStreamLegacy);  // which waits for the other streams
  for (int k = 0; k < lanes; ++k) {
    cudaStreamDestroy(streams[k]);
    cudaFree(d[k]);
  }
}
