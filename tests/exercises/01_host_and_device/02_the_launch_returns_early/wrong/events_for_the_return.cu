// wrong: asks events when the launch returned; they tell the device's time, not the host's
// verdict: wrong
// code: return_from_events
// message: the time between two events

#include <cuda_runtime.h>

#include <chrono>

struct LaunchTimes {
  double returned_us;
  double done_us;
};

using Clock = std::chrono::steady_clock;
double microseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

LaunchTimes time_launch(long long cycles) {
  cudaEvent_t before, after;
  cudaEventCreate(&before);
  cudaEventCreate(&after);
  const auto start = Clock::now();
  cudaEventRecord(before);
  spin<<<1, 1>>>(cycles);
  cudaEventRecord(after);
  cudaDeviceSynchronize();
  const auto done = Clock::now();
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, before, after);
  cudaEventDestroy(before);
  cudaEventDestroy(after);
  return {milliseconds * 1000.0, microseconds(start, done)};
}
