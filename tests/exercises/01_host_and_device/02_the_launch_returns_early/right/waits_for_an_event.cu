// right: waits with an event, and spins on a difference that is kept

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

__global__ void wait(long long cycles) {
  const long long end = clock64() + cycles;
  long long now;
  do now = clock64();
  while (now < end);
}

LaunchTimes time_launch(long long cycles) {
  cudaEvent_t over;
  cudaEventCreateWithFlags(&over, cudaEventDisableTiming);
  const auto start = Clock::now();
  wait<<<1, 1>>>(cycles);
  const auto returned = Clock::now();
  cudaEventRecord(over);
  cudaEventSynchronize(over);
  const auto done = Clock::now();
  cudaEventDestroy(over);
  return {microseconds(start, returned), microseconds(start, done)};
}
