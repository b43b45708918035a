// Records a program on a GPU: CUPTI's callbacks say what it asked for, CUPTI's activities what the device
// did, NVTX what the program calls it. One process, one trace (docs/trace-schema.md).
//
// While the program runs, calls and ranges are kept in memory: a launch must not wait for a file. At the
// program's end (atexit, before the driver goes) everything is put together, sorted by the time of its call,
// numbered, and written. A program that is ended by a signal leaves a header and nothing else; that is said
// to the user, not hidden.
#pragma once

#include <cupti.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "cupti/call.h"
#include "cupti/objects.h"
#include "trace/range_door.h"
#include "trace/writer.h"

namespace workbook::cupti {

class Recorder {
 public:
  static Recorder& get();

  // Called by the driver when the program first initialises CUDA.
  void start();
  // By CUPTI, around every call.
  void on_call(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& data);
  // By NVTX. The number stands for the range until the trace is written.
  std::uint64_t on_range(const wbRangeRecord& record);
  void finish();

 private:
  Recorder();
  std::int64_t now() const;
  static int thread_number();
  void end_of_call(CUpti_CallbackId id, const CUpti_CallbackData& data);
  void end_of_first_use(CUpti_CallbackId id, const CUpti_CallbackData& data);
  void note_trouble(const std::string& text);
  void begin_trace();
  trace::Event event_of(const Call& call) const;
  std::vector<trace::Event> all_events();

  std::mutex mutex_;
  trace::TraceWriter writer_;
  std::int64_t origin_ = 0;
  bool header_written_ = false;
  std::atomic<bool> finished_{false};
  std::vector<Call> calls_;
  std::vector<trace::Event> others_;  // ranges and notes; `id` is only a token for ranges
  std::uint64_t last_token_ = 0;
  Objects objects_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
};

}  // namespace workbook::cupti
