// wrong: waits for the device, and then looks when the launch returned
// verdict: wrong
// code: returns_after_kernel
// message: by then the kernel was over

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
  const auto start = Clock::now();
  spin<<<1, 1>>>(cycles);
  cudaDeviceSynchronize();
  const auto returned = Clock::now();
  const auto done = Clock::now();
  return {microseconds(start, returned), microseconds(start, done)};
}
