// An array goes through the device in chunks on four streams: copy in, compute, copy out, each in its
// stream's order.
#include <cstdio>
#include <cstdlib>

#define CHECK_CUDA(x)                                                   \
  if (cudaError_t e = (x); e != cudaSuccess) {                          \
    std::fprintf(stderr, "%s failed: %s\n", #x, cudaGetErrorString(e)); \
    std::exit(1);                                                       \
  }

__global__ void polynomial(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float x = data[i];
    data[i] = ((x + 2.0f) * x + 3.0f) * x + 4.0f;
  }
}

int main() {
  constexpr int n = 1 << 17, streams = 4, chunks = 8, per_chunk = n / chunks;
  float *host, *device;
  CHECK_CUDA(cudaMallocHost(&host, n * sizeof(float)));
  CHECK_CUDA(cudaMalloc(&device, n * sizeof(float)));
  for (int i = 0; i < n; ++i) host[i] = i % 100;

  cudaStream_t stream[streams];
  for (auto& s : stream) CHECK_CUDA(cudaStreamCreate(&s));
  cudaEvent_t begin, end;
  CHECK_CUDA(cudaEventCreate(&begin));
  CHECK_CUDA(cudaEventCreate(&end));
  CHECK_CUDA(cudaEventRecord(begin));
  for (int c = 0; c < chunks; ++c) {
    cudaStream_t s = stream[c % streams];
    float *h = host + c * per_chunk, *d = device + c * per_chunk;
    CHECK_CUDA(cudaMemcpyAsync(d, h, per_chunk * sizeof(float), cudaMemcpyHostToDevice, s));
    polynomial<<<per_chunk / 256, 256, 0, s>>>(d, per_chunk);
    CHECK_CUDA(cudaMemcpyAsync(h, d, per_chunk * sizeof(float), cudaMemcpyDeviceToHost, s));
  }
  CHECK_CUDA(cudaEventRecord(end));
  CHECK_CUDA(cudaEventSynchronize(end));
  CHECK_CUDA(cudaDeviceSynchronize());
  float ms = -1;
  CHECK_CUDA(cudaEventElapsedTime(&ms, begin, end));

  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const float x = i % 100;
    wrong += host[i] != ((x + 2) * x + 3) * x + 4;
  }
  std::printf("%d elements in %d chunks on %d streams, %d wrong, f(99) = %.0f\n", n, chunks, streams, wrong,
              host[99]);
  std::printf("it took %s\n", ms > 0 && ms < 1000 ? "some time, less than a second" : "an odd time");
  for (auto& s : stream) CHECK_CUDA(cudaStreamDestroy(s));
  CHECK_CUDA(cudaEventDestroy(begin));
  CHECK_CUDA(cudaEventDestroy(end));
  CHECK_CUDA(cudaFree(device));
  CHECK_CUDA(cudaFreeHost(host));
  return wrong != 0;
}
