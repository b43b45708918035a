// wrong: counts done_us from the return of the launch
// verdict: wrong
// code: done_from_the_return
// message: At which of your looks at the clock does done_us begin
// seen: simulated

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
  auto a = Clock::now();
  spin<<<1, 1>>>(cycles);
  auto b = Clock::now();
  cudaDeviceSynchronize();
  auto c = Clock::now();
  return {microseconds(a, b), microseconds(b, c)};
}
