// wrong: a thread for each lane, each with its per-thread default stream: they still wait for the legacy one
// verdict: too slow
// code: bound.lanes
// message: 0.7 x the starter
// message: at the same time
#include <cuda_runtime.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

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
  std::mutex mutex;
  std::condition_variable turn;
  int next = 0;  // chunk whose turn it is to be launched
  const auto lane = [&](int first_chunk) {
    float* d = nullptr;
    cudaMalloc(&d, chunk * sizeof(float));
    for (int k = first_chunk; k * 1LL * chunk < n; k += lanes) {
      const int first = k * chunk, count = std::min(chunk, n - first);
      std::unique_lock<std::mutex> lock(mutex);
      turn.wait(lock, [&] { return next == k; });
      cudaMemcpyAsync(d, h_x + first, count * sizeof(float), cudaMemcpyHostToDevice, cudaStreamPerThread);
      launch_soften(d, count, cudaStreamPerThread);
      report(k);
      cudaMemcpyAsync(h_y + first, d, count * sizeof(float), cudaMemcpyDeviceToHost, cudaStreamPerThread);
      ++next;
      turn.notify_all();
    }
    cudaStreamSynchronize(cudaStreamPerThread);
    cudaFree(d);
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < lanes; ++k) threads.emplace_back(lane, k);
  for (std::thread& thread : threads) thread.join();
}
