// 1.2  The launch returns early
//
// Time one launch with the clock of the host, twice over: when does the launch return, and when is the kernel
// done? The kernel does nothing but let time pass, as many cycles of the device's clock as it is told.

#include <cuda_runtime.h>

#include <chrono>

// Both in microseconds, counted from just before the launch.
struct LaunchTimes {
  double returned_us;  // the line with <<< >>> is over, and the host goes on
  double done_us;      // the kernel is over
};

// Your stop-watch: a time point now, and the microseconds between two of them.
using Clock = std::chrono::steady_clock;
double microseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

// TODO spin: a kernel that returns once `cycles` cycles have passed. clock64() is the cycle that it is now.

LaunchTimes time_launch(long long cycles) {
  // TODO time_launch: look at Clock::now() three times, and launch spin with 1 block of 1 thread between.
  //   When it works, the check says how many times longer the kernel took than the launch.
  return {0, 0};
}
