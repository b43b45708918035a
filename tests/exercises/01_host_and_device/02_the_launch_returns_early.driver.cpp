// Lets the learner time a spin and an empty kernel, with device events around the same call for comparison.
#include <workbook/driver.h>

// As in the learner's file.
struct LaunchTimes {
  double returned_us;
  double done_us;
};
LaunchTimes time_launch(long long cycles);

WORKBOOK_DRIVER(time_launch) {
  const auto cycles = call.value<long long>("cycles");
  // Loads the kernel and lets a GPU raise its clock: neither belongs to what is timed below.
  call.learner("warm-up", [&] {
    for (int k = 0; k < 3; ++k) time_launch(cycles / 16);
  });
  LaunchTimes times{};
  const double event_us =
      call.device_us([&] { call.learner("timed", [&] { times = time_launch(cycles); }); });
  call.result("returned_us", times.returned_us);
  call.result("done_us", times.done_us);
  call.result("event_us", event_us);
}
