// The trace on a GPU, and the faults made on purpose on both devices.
//
// The linker sends the CUDA calls of wrapped_functions.txt through interpose_*.cpp. On a GPU each call inside
// a learner region becomes one event of the trace (src/trace/event.h), with host times measured. The
// simulated runtime records by itself; there the interposer only lets an allocation, a copy or a launch fail.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "trace/event.h"
#include "trace/range_door.h"

namespace workbook::runner {

// Writes the trace's header on a GPU; once per process.
void start_recording();

// Which allocation, copy and launch of a region has to fail, counted from 1; 0: none does.
struct OrderedFailures {
  int allocation = 0, copy = 0, launch = 0;
};
void begin_region(const std::string& label, OrderedFailures failures);
void end_region(const std::string& label);
// Writes what was kept of the regions that have ended, with device times. The device must be idle.
void write_device_times();
// Nothing fails from here on.
void forget_failures();

// Whether this allocation is the one that has to fail. Counts.
bool allocation_must_fail();
// The same of copies and launches.
bool copy_must_fail();
bool launch_must_fail();
// More than any device has: asked of the real function, so that the runtime keeps the error as it would.
inline constexpr std::size_t too_many_bytes = std::size_t{1} << 50;

// One call on its way through the interposer.
class Passing {
 public:
  Passing(trace::EventKind kind, const char* api);
  bool recorded() const { return recorded_; }
  trace::Event event;
  // Notes the result, writes the event, and hands the result on.
  cudaError_t done(cudaError_t result);

 private:
  bool recorded_;
};

trace::MemoryKind memory_kind(const void* pointer);
int stream_number(cudaStream_t stream);
std::string kernel_name(const void* function);

// An NVTX range, on a GPU and inside a region; gives the number of its event, 0 when it was not kept.
std::uint64_t record_range(const wbRangeRecord& record);

}  // namespace workbook::runner
