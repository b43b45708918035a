// right: asks the event in a loop whether it has happened

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
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {
  }
}
LaunchTimes time_launch(long long cycles) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  LaunchTimes t{};
  const auto a = std::chrono::high_resolution_clock::now();
  spin<<<1, 1>>>(cycles);
  const auto b = std::chrono::high_resolution_clock::now();
  cudaEventRecord(e);
  while (cudaEventQuery(e) == cudaErrorNotReady)
    ;
  auto c = std::chrono::high_resolution_clock::now();
  cudaEventDestroy(e);
  t.returned_us = std::chrono::duration<double, std::micro>(b - a).count();
  t.done_us = std::chrono::duration<double, std::micro>(c - a).count();
  return t;
}
