// What a trace says about how well the device was used.
//
// Busy means: at least one kernel runs. It is the union of the kernels' intervals over a window, never the
// sum of their durations. The window begins with the first device operation (kernel, copy, memset) and ends
// with the last, so that what a program does before and after does not count; a caller may choose another,
// such as a range's.
//
// A gap is a part of the window in which no kernel runs. Its cause is what stood between two kernels, by the
// first of these rules that covers at least half of it:
//   first use    device code is loaded or compiled, the context is made: only the first time.
//   copy         a copy or memset runs on the device: the kernels wait for data. One that waits in turn for
//                the host to fill it, a pageable one above all, counts with the time of its call.
//   loader       a host thread that also launches work is outside every CUDA call: the program loads, decodes
//   or
//                computes on the host. The innermost NVTX range there names it.
//   api          it is inside a CUDA call that neither launches, copies nor waits: an allocation, a free.
//   synchronise  the gap begins while the host waits for the device: had it not waited, the next work would
//   have
//                been there.
//   launch       nothing of this: the way of a launch to the device.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "timeline/intervals.h"
#include "timeline/ranges.h"
#include "trace/event.h"

namespace workbook::timeline {

enum class Cause : std::uint8_t { copy, loader, api, synchronise, launch, first_use };
inline constexpr std::size_t causes = 6;
const char* name_of(Cause);

struct Gap {
  Interval when;
  Cause cause{};
  std::string what;       // the range, the call, or "pageable memory"
  bool pageable = false;  // copy: most of it with pageable memory on the host's side
};

// A wait of the host that stands in a loop: the same call at the same place, again and again, with new work
// for the device in between.
struct RepeatedWait {
  std::string api;
  int thread = 0;
  std::vector<const trace::Event*> waits;
};

// A trace, sorted and ready for questions. The events must outlive it.
class Timeline {
 public:
  explicit Timeline(std::vector<const trace::Event*> events);
  explicit Timeline(const std::vector<trace::Event>& events);

  const std::vector<const trace::Event*>& events() const { return events_; }  // by id
  const RangeSet& ranges() const { return ranges_; }

  bool device_times_known() const { return !any_.empty(); }
  Interval whole() const { return whole_; }  // everything, host and device
  Interval window() const;                   // first to last device operation
  const Intervals& kernels() const { return kernels_; }
  const Intervals& copies() const { return copies_; }  // copies and memsets
  const Intervals& operations() const { return any_; }

  double busy(Interval window) const;       // kernels' share of the window, 0 to 1
  double copy_busy(Interval window) const;  // copies' share
  double overlap(Interval window) const;    // share of the copies' time that lies under a kernel

  std::vector<Gap> gaps(Interval window, std::int64_t at_least_ns) const;
  std::vector<RepeatedWait> waits_in_loops(std::size_t at_least = 3) const;

 private:
  Gap explain(Interval gap) const;
  std::string range_in(Interval gap) const;  // the innermost that covers most of it; empty: none
  std::pair<std::string, std::int64_t> call_in(Interval gap) const;  // the longest other call, all such time
  void collect_operations();
  void collect_calls();

  std::vector<const trace::Event*> events_;
  RangeSet ranges_;
  Interval whole_;
  Intervals kernels_, copies_, any_;
  Intervals waiting_for_copies_;                  // copies on the device, and calls that copy pageable memory
  Intervals pageable_;                            // the part of these with pageable memory
  Intervals outside_;                             // every thread that gives the device work is outside CUDA
  Intervals first_uses_;                          // loading, compiling
  Intervals waits_;                               // a thread waits for the device
  std::vector<const trace::Event*> other_calls_;  // neither launch, copy nor wait; by begin
};

bool is_operation(const trace::Event& event);  // kernel, copy, memset
bool is_first_use(const trace::Event& event);  // a note of loading, compiling, making the context
std::string first_use_kind(const trace::Event& first_use);  // "context", "jit", ...; empty: not said
bool touches_pageable(const trace::Event& copy);
// A call that holds the host until the device has caught up.
bool is_wait(const trace::Event& event);

}  // namespace workbook::timeline
