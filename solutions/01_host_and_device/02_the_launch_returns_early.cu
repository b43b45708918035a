// 1.2  The launch returns early: the host's clock around a launch, and around the kernel.

#include <cuda_runtime.h>

#include <chrono>

// Both in microseconds, counted from just before the launch.
struct LaunchTimes {
  double returned_us;  // the line with <<< >>> is over, and the host goes on
  double done_us;      // the kernel is over
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
  const auto start = Clock::now();
  spin<<<1, 1>>>(cycles);
  const auto returned = Clock::now();
  cudaDeviceSynchronize();
  const auto done = Clock::now();
  return {microseconds(start, returned), microseconds(start, done)};
}
