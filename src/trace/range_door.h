// How the NVTX library hands what it saw to whoever keeps the trace of this process.
//
// The library that NVTX loads (src/nvtx) knows no clock, no thread numbers and no event numbers; the producer
// of the trace does: the simulated runtime (it exports the C function `wbRange`), or the runner's interposer
// on a GPU (`wbRunnerRange`). The library finds them with dlsym(RTLD_DEFAULT, ...).
#pragma once

#include <cstdint>

#include "trace/event.h"

extern "C" {

// One NVTX call. Texts live until the call returns; null is the empty text.
struct wbRangeRecord {
  std::uint32_t size;  // sizeof(wbRangeRecord): two builds that disagree are noticed
  std::uint32_t category, color;
  std::int32_t registered;
  const char* phase;  // as trace::Event::phase
  const char* name;
  const char* domain;
  const char* category_name;
  const char* payload_type;  // null: none
  std::int64_t payload_integer;
  std::uint64_t payload_natural;
  double payload_real;
  std::uint64_t begun_by;
};

// Writes the event and gives its number; 0 when it was not kept.
typedef std::uint64_t (*wbRange_t)(const wbRangeRecord*);
}

namespace workbook::trace {

// The event, without number, thread, times and frames.
Event range_event(const wbRangeRecord&);

}  // namespace workbook::trace
