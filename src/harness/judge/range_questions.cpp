// Questions about NVTX ranges and about time on the device (workbook/questions.h), answered by src/timeline.
#include <algorithm>

#include "harness/judge/state.h"
#include "timeline/analysis.h"
#include "workbook/questions.h"

namespace workbook {

namespace {

double us(std::int64_t ns) {
  return ns < 0 ? -1.0 : static_cast<double>(ns) / 1000.0;
}

std::int64_t ns(double microseconds) {
  return static_cast<std::int64_t>(microseconds * 1000.0 + 0.5);
}

Range::Payload payload_of(const trace::Payload& from) {
  Range::Payload payload;
  payload.type = from.type;
  if (from.type.starts_with("int")) {
    payload.integer = from.integer;
    payload.real = static_cast<double>(from.integer);
  } else if (from.type.starts_with("uint")) {
    payload.integer = static_cast<std::int64_t>(from.natural);
    payload.real = static_cast<double>(from.natural);
  } else {
    payload.real = from.real;
  }
  return payload;
}

Range range_of(const timeline::Range& from, const timeline::Timeline& timeline, int index) {
  Range range;
  range.index = index;
  range.kind = static_cast<Range::Kind>(from.kind);
  range.name = from.name;
  range.domain = from.domain;
  range.category = from.category_name;
  range.category_id = from.category;
  range.payload = payload_of(from.payload);
  range.color = from.color;
  range.registered = from.registered;
  range.thread = from.thread;
  range.end_thread = from.end_thread;
  range.open = from.open;
  range.begin_us = us(from.begin_ns);
  range.end_us = us(from.end_ns);
  range.parent = from.parent;
  range.children = from.children;
  range.depth = from.depth;
  const auto projection = timeline::project(from, timeline.events());
  if (projection.span.begin >= 0) {
    range.gpu_begin_us = us(projection.span.begin);
    range.gpu_end_us = us(projection.span.end);
    range.gpu_busy_us = us(projection.busy);
  }
  const judge::CallSite site = judge::call_site(*from.begun);
  range.file = site.file;
  range.line = site.line;
  return range;
}

}  // namespace

namespace judge {

void add_ranges(Trace::State& state) {
  state.timeline = std::make_unique<timeline::Timeline>(state.events);
  for (const auto& range : state.timeline->ranges().ranges)
    state.ranges.push_back(range_of(range, *state.timeline, static_cast<int>(state.ranges.size())));
  for (const trace::Event* event : state.timeline->ranges().names)
    state.range_names.push_back({event->phase, event->name, event->domain, event->category});
}

}  // namespace judge

const std::vector<Range>& Trace::ranges() const {
  return state_->ranges;
}

std::vector<Range> Trace::ranges(std::string_view name) const {
  std::vector<Range> found;
  std::copy_if(ranges().begin(), ranges().end(), std::back_inserter(found),
               [&](const Range& r) { return r.name == name; });
  return found;
}

std::vector<Range> Trace::open_ranges() const {
  std::vector<Range> found;
  std::copy_if(ranges().begin(), ranges().end(), std::back_inserter(found),
               [](const Range& r) { return r.open; });
  return found;
}

std::size_t Trace::stray_pops() const {
  return state_->timeline->ranges().stray_pops.size();
}

const std::vector<RangeName>& Trace::range_names() const {
  return state_->range_names;
}

std::vector<Step> Trace::steps_in(const Range& range) const {
  std::vector<Step> inside;
  const auto& from = state_->timeline->ranges().ranges.at(static_cast<std::size_t>(range.index));
  for (std::size_t i = 0; i < steps().size(); ++i) {
    const std::uint64_t id = state_->step_ids[i];
    const bool own_thread = from.kind == timeline::Range::Kind::free || steps()[i].thread == from.thread;
    if (id > from.id && id < from.end_id && own_thread) inside.push_back(steps()[i]);
  }
  return inside;
}

std::string Trace::tree(std::string_view domain, int thread) const {
  std::string text;
  const auto put = [&](const auto& self, int index) -> void {
    const Range& range = ranges()[static_cast<std::size_t>(index)];
    text += range.name;
    if (range.children.empty()) return;
    text += '(';
    for (std::size_t i = 0; i < range.children.size(); ++i) {
      if (i > 0) text += ' ';
      self(self, range.children[i]);
    }
    text += ')';
  };
  for (std::size_t i = 0; i < ranges().size(); ++i) {
    const Range& range = ranges()[i];
    if (range.kind == Range::Kind::free || range.parent >= 0) continue;
    if (range.domain != domain || range.thread != thread) continue;
    if (!text.empty()) text += ' ';
    put(put, static_cast<int>(i));
  }
  return text;
}

bool Trace::device_times_known() const {
  return state_->timeline->device_times_known();
}

double Trace::busy() const {
  return state_->timeline->busy(state_->timeline->window());
}

double Trace::busy(double begin_us, double end_us) const {
  return state_->timeline->busy({ns(begin_us), ns(end_us)});
}

double Trace::copy_busy() const {
  return state_->timeline->copy_busy(state_->timeline->window());
}

double Trace::overlap() const {
  return state_->timeline->overlap(state_->timeline->window());
}

std::vector<Gap> Trace::gaps(double at_least_us) const {
  std::vector<Gap> found;
  const auto& timeline = *state_->timeline;
  for (const auto& gap : timeline.gaps(timeline.window(), ns(at_least_us)))
    found.push_back(
        {us(gap.when.begin), us(gap.when.end), timeline::name_of(gap.cause), gap.what, gap.pageable});
  return found;
}

std::vector<WaitInLoop> Trace::waits_in_loops(std::size_t at_least) const {
  std::vector<WaitInLoop> found;
  for (const auto& wait : state_->timeline->waits_in_loops(at_least)) {
    const judge::CallSite site = judge::call_site(*wait.waits.front());
    found.push_back({wait.api, wait.waits.size(), site.file, site.line});
  }
  return found;
}

}  // namespace workbook
