// wrong: one launch for the return and another one to wait for
// verdict: wrong
// code: many_launches
// message: launched 2 kernels

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
  auto start = Clock::now();
  spin<<<1, 1>>>(cycles);
  const double returned_us = microseconds(start, Clock::now());
  cudaDeviceSynchronize();
  start = Clock::now();
  spin<<<1, 1>>>(cycles);
  cudaDeviceSynchronize();
  return {returned_us, microseconds(start, Clock::now())};
}
