// NVTX ranges of a trace: begins and ends put together, and their tree.
//
// Push and pop nest per thread and domain, as NVTX defines it; the tree shows that nesting. Ranges of start
// and end may overlap anything and end on another thread: they have no parent. A range whose end never came
// is open; it then reaches to the end of the trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "timeline/intervals.h"
#include "trace/event.h"

namespace workbook::timeline {

struct Range {
  enum class Kind : std::uint8_t { nested, free, mark } kind{};
  std::string name, domain, category_name;
  std::uint32_t category = 0, color = 0;
  bool registered = false;
  trace::Payload payload;
  int thread = 0, end_thread = 0;
  std::uint64_t id = 0, end_id = 0;  // of the two events; end_id is past all others while it is open
  std::int64_t begin_ns = 0, end_ns = 0;
  bool open = false;
  int parent = -1;  // index, as in children
  std::vector<int> children;
  int depth = 0;
  const trace::Event* begun = nullptr;
  // A call was made inside: by order, and for a nested range on its thread.
  bool holds(const trace::Event& call) const {
    return call.id > id && call.id < end_id && (kind == Kind::free || call.thread == thread);
  }
};

struct RangeSet {
  std::vector<Range> ranges;                    // in the order in which they begin
  std::vector<const trace::Event*> stray_pops;  // pops where nothing was open
  std::vector<const trace::Event*> names;       // domains made, categories named, strings registered
};

// The events must be sorted by id and outlive the result.
RangeSet ranges_of(const std::vector<const trace::Event*>& events);
RangeSet ranges_of(const std::vector<trace::Event>& events);

// A range on the device: the operations whose call was made inside it.
struct Projection {
  Interval span{-1, -1};  // first begin to last end; -1 when there was none, or no device time is known
  std::int64_t busy = 0;  // ns in which at least one of them ran
  int kernels = 0, copies = 0;
};
Projection project(const Range& range, const std::vector<const trace::Event*>& events);

}  // namespace workbook::timeline
