// wrong: two figures that look likely, and no kernel
// verdict: wrong
// code: no_launch
// message: no kernel was launched

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

LaunchTimes time_launch(long long cycles) {
  return {4.6, cycles / 1980.0};
}
