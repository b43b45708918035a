// right: a warp in a stream of its own, and another of the host's clocks

#include <cuda_runtime.h>

#include <chrono>

struct LaunchTimes {
  double returned_us;
  double done_us;
};

namespace {

double now_us() {
  const auto since = std::chrono::high_resolution_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count() / 1000.0;
}

__global__ void spin(long long cycles) {
  const auto start = clock64();
  while (clock64() - start < cycles) continue;
}

}  // namespace

LaunchTimes time_launch(long long cycles) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  LaunchTimes times{};
  const double start = now_us();
  spin<<<dim3(1), dim3(32), 0, stream>>>(cycles);
  times.returned_us = now_us() - start;
  cudaStreamSynchronize(stream);
  times.done_us = now_us() - start;
  cudaStreamDestroy(stream);
  return times;
}
