// When the device did what a call asked for, for a program that keeps its own record of its calls: the runner
// of an exercise (src/harness/runner/device_times.h). It opens this library by name and uses these doors; the
// recorder for `profile` is not started then.
//
//   wbDeviceTimesStart()              once; empty text or why it cannot be
//   ... a CUDA call ...
//   wbDeviceTimesCall()               the number of this thread's last call
//   wbDeviceTimesFlush()              when the device is idle
//   wbDeviceTimesOf(number, times)    1, and begin and end in CUPTI's nanoseconds; 0: the device did nothing
#pragma once

#include <cstdint>

extern "C" {

const char* wbDeviceTimesStart();
std::int64_t wbDeviceTimesNow();
std::uint32_t wbDeviceTimesCall();
void wbDeviceTimesFlush();
int wbDeviceTimesOf(std::uint32_t call, std::int64_t times[2]);
}
