#include "timeline/ranges.h"

#include <algorithm>
#include <limits>
#include <map>

namespace workbook::timeline {

using trace::Event;
using trace::EventKind;

namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

Range begin_of(const Event& event) {
  Range range;
  range.kind = event.phase == "push"    ? Range::Kind::nested
               : event.phase == "start" ? Range::Kind::free
                                        : Range::Kind::mark;
  range.name = event.name;
  range.domain = event.domain;
  range.category = event.category;
  range.category_name = event.category_name;
  range.color = event.color;
  range.registered = event.registered;
  range.payload = event.payload;
  range.thread = range.end_thread = event.thread;
  range.id = event.id;
  range.begin_ns = range.end_ns = event.host_begin_ns;
  range.begun = &event;
  range.open = range.kind != Range::Kind::mark;
  range.end_id = range.open ? never : event.id;
  return range;
}

class Builder {
 public:
  explicit Builder(RangeSet& out) : out_(out) {}

  void take(const Event& event) {
    if (event.phase == "push" || event.phase == "start" || event.phase == "mark") return begin(event);
    if (event.phase == "pop" || event.phase == "end") return end(event);
    out_.names.push_back(&event);
  }

 private:
  void begin(const Event& event) {
    Range range = begin_of(event);
    const int index = static_cast<int>(out_.ranges.size());
    auto& stack = stacks_[{event.thread, event.domain}];
    if (range.kind != Range::Kind::free && !stack.empty()) {
      range.parent = stack.back();
      range.depth = out_.ranges[static_cast<std::size_t>(range.parent)].depth + 1;
      out_.ranges[static_cast<std::size_t>(range.parent)].children.push_back(index);
    }
    if (range.kind == Range::Kind::nested) stack.push_back(index);
    begun_[event.id] = index;
    out_.ranges.push_back(std::move(range));
  }

  void end(const Event& event) {
    const auto found = begun_.find(event.begun_by);
    if (event.begun_by == 0 || found == begun_.end()) {
      if (event.phase == "pop") out_.stray_pops.push_back(&event);
      return;
    }
    Range& range = out_.ranges[static_cast<std::size_t>(found->second)];
    range.open = false;
    range.end_id = event.id;
    range.end_ns = event.host_begin_ns;
    range.end_thread = event.thread;
    auto& stack = stacks_[{range.thread, range.domain}];
    std::erase(stack, found->second);
  }

  RangeSet& out_;
  std::map<std::pair<int, std::string>, std::vector<int>> stacks_;
  std::map<std::uint64_t, int> begun_;
};

}  // namespace

RangeSet ranges_of(const std::vector<const Event*>& events) {
  RangeSet out;
  Builder builder(out);
  std::int64_t last = 0;
  for (const Event* event : events) {
    if (event->kind == EventKind::range) builder.take(*event);
    last = std::max({last, event->host_end_ns, event->device_end_ns});
  }
  for (Range& range : out.ranges) {
    if (range.open) range.end_ns = last;
  }
  return out;
}

RangeSet ranges_of(const std::vector<Event>& events) {
  std::vector<const Event*> pointers;
  pointers.reserve(events.size());
  for (const Event& event : events) pointers.push_back(&event);
  return ranges_of(pointers);
}

Projection project(const Range& range, const std::vector<const Event*>& events) {
  Projection out;
  Intervals work;
  const auto first = std::upper_bound(events.begin(), events.end(), range.id,
                                      [](std::uint64_t id, const Event* e) { return id < e->id; });
  for (auto at = first; at != events.end() && (*at)->id < range.end_id; ++at) {
    const Event& event = **at;
    if (!range.holds(event)) continue;
    const bool kernel = event.kind == EventKind::kernel;
    if (!kernel && event.kind != EventKind::copy && event.kind != EventKind::memset) continue;
    if (event.result != 0) continue;
    (kernel ? out.kernels : out.copies) += 1;
    if (event.device_begin_ns >= 0) work.push_back({event.device_begin_ns, event.device_end_ns});
  }
  work = unite(std::move(work));
  if (work.empty()) return out;
  out.span = {work.front().begin, work.back().end};
  out.busy = total(work);
  return out;
}

}  // namespace workbook::timeline
