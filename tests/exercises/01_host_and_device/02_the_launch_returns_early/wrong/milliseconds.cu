// wrong: gives milliseconds where microseconds are asked for
// verdict: wrong
// code: unit
// message: a factor of 1000

#include <cuda_runtime.h>

#include <chrono>

struct LaunchTimes {
  double returned_us;
  double done_us;
};

using Clock = std::chrono::steady_clock;
double milliseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

LaunchTimes time_launch(long long cycles) {
  const auto start = Clock::now();
  spin<<<1, 1>>>(cycles);
  const auto returned = Clock::now();
  cudaDeviceSynchronize();
  const auto done = Clock::now();
  return {milliseconds(start, returned), milliseconds(start, done)};
}
