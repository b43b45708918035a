// right: waits for an event behind each lane; streams that own themselves
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

struct Lane {
  cudaStream_t stream = nullptr;
  cudaEvent_t done = nullptr;
  float* d = nullptr;
  explicit Lane(int chunk) {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaMalloc(&d, chunk * sizeof(float));
  }
  ~Lane() {
    cudaEventRecord(done, stream);
    cudaEventSynchronize(done);
    cudaEventDestroy(done);
    cudaStreamDestroy(stream);
    cudaFree(d);
  }
};

// Softens n floats from h_x to h_y (pinned) in chunks of `chunk` floats, four at the same time, and reports each chunk
// right after its kernel was launched. When it returns, all of h_y is there, and what it made is given back.
void soften_and_report(const float* h_x, float* h_y, int n, int chunk) {
  Lane lanes[4] = {Lane(chunk), Lane(chunk), Lane(chunk), Lane(chunk)};
  for (int first = 0, k = 0; first < n; first += chunk, ++k) {
    const Lane& lane = lanes[k % 4];
    const int count = std::min(chunk, n - first);
    const size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(lane.d, h_x + first, bytes, cudaMemcpyHostToDevice, lane.stream);
    launch_soften(lane.d, count, lane.stream);
    report(k);
    cudaMemcpyAsync(h_y + first, lane.d, bytes, cudaMemcpyDeviceToHost, lane.stream);
  }
}
