// On a GPU: when the device did what the learner's calls asked for. Only for runs that ask for it
// (Run::device_times), because it is CUPTI's knowledge, and listening costs 2 us a launch.
//
// The judge names the library (src/cupti, doors in cupti/device_times.h) in WORKBOOK_DEVICE_TIMES. Calls are
// then kept in memory until the region's work is done, and written with their times: nothing that the program
// does waits for a file.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/event.h"

namespace workbook::runner {

class DeviceTimes {
 public:
  static DeviceTimes& get();

  // Whether this run wants times. Throws GraderError where CUPTI does not give them.
  bool on() const { return on_; }
  // The number by which CUPTI knows the calling thread's last call; 0 when off.
  std::uint32_t call() const;
  // To be written later. Any thread.
  void keep(trace::Event event, std::uint32_t call);
  // What was kept, sorted by number, with times: nanoseconds of std::chrono::steady_clock. The device must be
  // idle.
  std::vector<trace::Event> take();

 private:
  DeviceTimes();
  struct Doors;
  struct Kept {
    trace::Event event;
    std::uint32_t call;
  };
  const Doors* doors_ = nullptr;
  bool on_ = false;
  std::int64_t to_steady_ = 0;  // CUPTI's clock and this are steady_clock
  std::vector<Kept> kept_;
};

}  // namespace workbook::runner
