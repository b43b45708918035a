// right: a stream for each step, and events for the edges between them, forth and back
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
  constexpr int buffers = 3;
  cudaStream_t in, work, out;
  for (cudaStream_t* s : {&in, &work, &out}) cudaStreamCreateWithFlags(s, cudaStreamNonBlocking);
  float* d[buffers];
  cudaEvent_t arrived[buffers], softened[buffers], left[buffers];
  for (int k = 0; k < buffers; ++k) {
    cudaMalloc(&d[k], chunk * sizeof(float));
    for (cudaEvent_t* e : {&arrived[k], &softened[k], &left[k]}) cudaEventCreateWithFlags(e, cudaEventDisableTiming);
  }
  for (int first = 0, k = 0; first < n; first += chunk, k = (k + 1) % buffers) {
    const int count = std::min(chunk, n - first);
    const size_t bytes = count * sizeof(float);
    cudaStreamWaitEvent(in, left[k]);
    cudaMemcpyAsync(d[k], h_x + first, bytes, cudaMemcpyHostToDevice, in);
    cudaEventRecord(arrived[k], in);
    cudaStreamWaitEvent(work, arrived[k]);
    launch_soften(d[k], count, work);
    cudaEventRecord(softened[k], work);
    cudaStreamWaitEvent(out, softened[k]);
    cudaMemcpyAsync(h_y + first, d[k], bytes, cudaMemcpyDeviceToHost, out);
    cudaEventRecord(left[k], out);
  }
  cudaStreamSynchronize(out);
  for (int k = 0; k < buffers; ++k) {
    cudaFree(d[k]);
    for (cudaEvent_t e : {arrived[k], softened[k], left[k]}) cudaEventDestroy(e);
  }
  for (cudaStream_t s : {in, work, out}) cudaStreamDestroy(s);
}
