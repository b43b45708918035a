#include "timeline/analysis.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace workbook::timeline {

using trace::Event;
using trace::EventKind;
using trace::MemoryKind;

namespace {

std::vector<const Event*> sorted(std::vector<const Event*> events) {
  std::stable_sort(events.begin(), events.end(),
                   [](const Event* a, const Event* b) { return a->id < b->id; });
  return events;
}

std::vector<const Event*> pointers(const std::vector<Event>& events) {
  std::vector<const Event*> out;
  out.reserve(events.size());
  for (const Event& event : events) out.push_back(&event);
  return out;
}

Interval on_host(const Event& event) {
  return {event.host_begin_ns, event.host_end_ns};
}
Interval on_device(const Event& event) {
  return {event.device_begin_ns, event.device_end_ns};
}

// Calls of the API; the rest are the producer's own lines.
bool is_call(const Event& event) {
  return !event.api.empty() && event.host_begin_ns >= 0 && event.kind != EventKind::fault;
}

}  // namespace

const char* name_of(Cause cause) {
  static constexpr std::array<const char*, causes> names{"copy",        "loader", "api",
                                                         "synchronise", "launch", "first use"};
  return names.at(static_cast<std::size_t>(cause));
}

bool is_operation(const Event& event) {
  return event.kind == EventKind::kernel || event.kind == EventKind::copy || event.kind == EventKind::memset;
}

bool is_first_use(const Event& event) {
  if (event.kind != EventKind::note || event.name != "overhead") return false;
  // Neither what watching costs nor a full queue comes once only.
  return event.detail_json.find("recorder") == std::string::npos &&
         event.detail_json.find("queue_full") == std::string::npos;
}

std::string first_use_kind(const Event& first_use) {
  const auto detail = nlohmann::json::parse(first_use.detail_json, nullptr, /*allow_exceptions=*/false);
  return detail.is_object() ? detail.value("kind", "") : "";
}

bool touches_pageable(const Event& copy) {
  return copy.kind == EventKind::copy &&
         (copy.from == MemoryKind::pageable || copy.to == MemoryKind::pageable);
}

bool is_wait(const Event& event) {
  return event.kind == EventKind::sync;
}

Timeline::Timeline(const std::vector<Event>& events) : Timeline(pointers(events)) {}

Timeline::Timeline(std::vector<const Event*> events)
    : events_(sorted(std::move(events))), ranges_(ranges_of(events_)) {
  bool first = true;
  for (const Event* event : events_) {
    for (const Interval& i : {on_host(*event), on_device(*event)}) {
      if (i.begin < 0) continue;
      whole_ = first ? i : Interval{std::min(whole_.begin, i.begin), std::max(whole_.end, i.end)};
      first = false;
    }
  }
  collect_operations();
  collect_calls();
}

void Timeline::collect_operations() {
  Intervals waiting;
  for (const Event* event : events_) {
    if (!is_operation(*event) || event->result != 0) continue;
    const bool kernel = event->kind == EventKind::kernel;
    if (event->device_begin_ns >= 0) {
      (kernel ? kernels_ : copies_).push_back(on_device(*event));
      any_.push_back(on_device(*event));
      if (!kernel) waiting.push_back(on_device(*event));
    }
    if (touches_pageable(*event)) {
      if (event->host_begin_ns >= 0) waiting.push_back(on_host(*event));
      pageable_.push_back(on_host(*event));
      if (event->device_begin_ns >= 0) pageable_.push_back(on_device(*event));
    }
  }
  kernels_ = unite(std::move(kernels_));
  copies_ = unite(std::move(copies_));
  any_ = unite(std::move(any_));
  pageable_ = unite(std::move(pageable_));
  waiting_for_copies_ = unite(std::move(waiting));
}

void Timeline::collect_calls() {
  std::set<int> launching;
  for (const Event* event : events_) {
    if (is_operation(*event)) launching.insert(event->thread);
  }
  Intervals inside, waits;
  for (const Event* event : events_) {
    if (is_first_use(*event)) first_uses_.push_back(on_host(*event));
    if (!is_call(*event)) continue;
    if (launching.count(event->thread) != 0) inside.push_back(on_host(*event));
    if (is_wait(*event)) waits.push_back(on_host(*event));
    if (!is_wait(*event) && !is_operation(*event)) other_calls_.push_back(event);
  }
  outside_ = complement(unite(std::move(inside)), whole_);
  waits_ = unite(std::move(waits));
  first_uses_ = unite(std::move(first_uses_));
  std::stable_sort(other_calls_.begin(), other_calls_.end(),
                   [](const Event* a, const Event* b) { return a->host_begin_ns < b->host_begin_ns; });
}

Interval Timeline::window() const {
  return any_.empty() ? Interval{} : Interval{any_.front().begin, any_.back().end};
}

double Timeline::busy(Interval window) const {
  return window.length() == 0
             ? 0
             : static_cast<double>(covered(kernels_, window)) / static_cast<double>(window.length());
}

double Timeline::copy_busy(Interval window) const {
  return window.length() == 0
             ? 0
             : static_cast<double>(covered(copies_, window)) / static_cast<double>(window.length());
}

double Timeline::overlap(Interval window) const {
  const Intervals copies = clip(copies_, window);
  const std::int64_t time = total(copies);
  return time == 0 ? 0 : static_cast<double>(total(intersect(copies, kernels_))) / static_cast<double>(time);
}

std::vector<Gap> Timeline::gaps(Interval window, std::int64_t at_least_ns) const {
  std::vector<Gap> found;
  for (const Interval& gap : complement(kernels_, window)) {
    if (gap.length() >= at_least_ns) found.push_back(explain(gap));
  }
  return found;
}

Gap Timeline::explain(Interval gap) const {
  Gap out;
  out.when = gap;
  const auto half = [&](std::int64_t time) { return 2 * time >= gap.length(); };
  if (half(covered(first_uses_, gap))) {
    out.cause = Cause::first_use;
    return out;
  }
  const std::int64_t copying = covered(waiting_for_copies_, gap);
  if (half(copying)) {
    out.cause = Cause::copy;
    out.pageable = 2 * covered(pageable_, gap) >= copying;
    out.what = out.pageable ? "pageable memory" : "";
    return out;
  }
  if (half(covered(outside_, gap))) {
    out.cause = Cause::loader;
    out.what = range_in(gap);
    return out;
  }
  const auto [call, time] = call_in(gap);
  const bool in_wait = covered(waits_, {gap.begin, gap.begin + 1}) > 0;
  out.cause = half(time) ? Cause::api : in_wait ? Cause::synchronise : Cause::launch;
  if (out.cause == Cause::api) out.what = call;
  return out;
}

// By depth first, then by how much of the gap it covers.
std::string Timeline::range_in(Interval gap) const {
  const Range* best = nullptr;
  std::int64_t best_time = 0;
  for (const Range& range : ranges_.ranges) {
    if (range.begin_ns >= gap.end) break;
    const std::int64_t time =
        Interval{std::max(range.begin_ns, gap.begin), std::min(range.end_ns, gap.end)}.length();
    if (4 * time < gap.length()) continue;
    if (best == nullptr || range.depth > best->depth || (range.depth == best->depth && time > best_time)) {
      best = &range;
      best_time = time;
    }
  }
  return best == nullptr ? std::string() : best->name;
}

std::pair<std::string, std::int64_t> Timeline::call_in(Interval gap) const {
  std::string longest;
  std::int64_t most = 0, all = 0;
  const auto last = std::lower_bound(other_calls_.begin(), other_calls_.end(), gap.end,
                                     [](const Event* e, std::int64_t t) { return e->host_begin_ns < t; });
  for (auto at = last; at != other_calls_.begin();) {
    const Event& call = **--at;
    const std::int64_t time =
        Interval{std::max(call.host_begin_ns, gap.begin), std::min(call.host_end_ns, gap.end)}.length();
    if (time == 0 && last - at > 64) break;  // this far back, calls are over
    all += time;
    if (time > most) {
      most = time;
      longest = call.api;
    }
  }
  return {longest, all};
}

std::vector<RepeatedWait> Timeline::waits_in_loops(std::size_t at_least) const {
  using Place = std::tuple<int, std::string, int, std::vector<std::uint64_t>>;
  std::map<Place, RepeatedWait> places;
  std::map<Place, std::size_t> work_at;  // operations of the thread when it last waited here
  std::map<int, std::size_t> work;       // operations of a thread so far
  for (const Event* event : events_) {
    if (is_operation(*event)) ++work[event->thread];
    if (!is_wait(*event)) continue;
    const Place place{event->thread, event->api, event->stream, event->frames};
    auto [entry, is_new] = places.try_emplace(place, RepeatedWait{event->api, event->thread, {}});
    if (!is_new && work_at[place] == work[event->thread]) continue;  // nothing was asked for since
    work_at[place] = work[event->thread];
    entry->second.waits.push_back(event);
  }
  std::vector<RepeatedWait> found;
  for (auto& [place, wait] : places) {
    if (wait.waits.size() >= at_least) found.push_back(std::move(wait));
  }
  std::sort(found.begin(), found.end(), [](const RepeatedWait& a, const RepeatedWait& b) {
    return a.waits.front()->id < b.waits.front()->id;
  });
  return found;
}

}  // namespace workbook::timeline
