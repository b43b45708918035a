// wrong: counts iterations in a loop that computes nothing, and the compiler leaves it out
// verdict: wrong
// code: spin_too_short
// message: may be left out by the compiler

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
  for (long long i = 0; i < cycles; ++i) {
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
