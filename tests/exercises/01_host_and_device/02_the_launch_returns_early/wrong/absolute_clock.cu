// wrong: compares the clock itself with the number of cycles, and not how far it has gone on
// verdict: wrong
// code: spin_too_short
// message: What does the loop of the kernel compare with what

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
  while (clock64() < cycles) {
  }
}
LaunchTimes time_launch(long long cycles) {
  auto a = Clock::now();
  spin<<<1, 1>>>(cycles);
  auto b = Clock::now();
  cudaDeviceSynchronize();
  auto c = Clock::now();
  return {microseconds(a, b), microseconds(a, c)};
}
