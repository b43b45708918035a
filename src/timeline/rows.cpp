#include "timeline/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "timeline/summary.h"

namespace workbook::timeline {

using trace::Event;
using trace::EventKind;

namespace {

Interval on_host(const Event& event) {
  return {event.host_begin_ns, event.host_end_ns};
}

BarClass class_of_call(const Event& event) {
  switch (event.kind) {
    case EventKind::kernel:
      return BarClass::launch;
    case EventKind::copy:
      return touches_pageable(event) ? BarClass::pageable : BarClass::copy;
    case EventKind::memset:
      return BarClass::memset;
    case EventKind::sync:
      return BarClass::wait;
    case EventKind::alloc:
    case EventKind::free:
      return BarClass::memory;
    default:
      return BarClass::call;
  }
}

std::string size_words(const std::array<std::uint32_t, 3>& size) {
  if (size[2] > 1) return fmt::format("{} x {} x {}", size[0], size[1], size[2]);
  return size[1] > 1 ? fmt::format("{} x {}", size[0], size[1]) : fmt::format("{}", size[0]);
}

std::string detail_of(const Event& event) {
  std::string out;
  if (event.kind == EventKind::kernel) {
    out = fmt::format("{}: {} blocks of {} threads", event.name, size_words(event.grid),
                      size_words(event.block));
    if (!event.bound_by.empty()) out += ", bound by " + event.bound_by;
  } else if (event.kind == EventKind::copy) {
    out = fmt::format("{} from {} to {} memory", bytes_words(event.bytes), trace::name_of(event.from),
                      trace::name_of(event.to));
  } else if (event.bytes != 0) {
    out = bytes_words(event.bytes);
  }
  if (event.result != 0) out += (out.empty() ? "" : "\n") + event.result_name;
  return out;
}

// Sorts the bars into lanes by nesting: a bar goes to the first lane that is free at its begin.
std::vector<std::vector<Bar>> in_lanes(std::vector<Bar> bars) {
  std::stable_sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) {
    return a.when.begin != b.when.begin ? a.when.begin < b.when.begin : a.when.end > b.when.end;
  });
  std::vector<std::vector<Bar>> lanes;
  for (Bar& bar : bars) {
    const auto is_free = [&](const std::vector<Bar>& lane) { return lane.back().when.end <= bar.when.begin; };
    auto lane = std::find_if(lanes.begin(), lanes.end(), is_free);
    if (lane == lanes.end()) lane = lanes.emplace(lanes.end());
    lane->push_back(std::move(bar));
  }
  return lanes;
}

// Neighbours closer than anybody could see, as one bar that says how many they are: of one class first, and
// of any where classes alternate.
void thin_out(std::vector<Bar>& lane, bool any_class = false) {
  if (lane.size() <= most_bars) return;
  const std::int64_t step =
      std::max<std::int64_t>(1, (lane.back().when.end - lane.front().when.begin) / (most_bars / 2));
  std::vector<Bar> kept;
  for (std::size_t i = 0; i < lane.size();) {
    Bar bar = lane[i];
    std::size_t count = 1;
    std::int64_t filled = bar.when.length();
    while (i + count < lane.size() && (any_class || lane[i + count].kind == bar.kind) &&
           lane[i + count].when.end - bar.when.begin <= step) {
      filled += lane[i + count].when.length();
      bar.when.end = lane[i + count].when.end;
      ++count;
    }
    if (count > 1) {
      bar.detail = fmt::format("{} of these together, {} in all", count, time_words(filled));
    }
    kept.push_back(std::move(bar));
    i += count;
  }
  lane = std::move(kept);
  if (!any_class) thin_out(lane, true);
}

void add_row(std::vector<Row>& rows, std::string label, std::string kind, std::vector<Bar> bars) {
  if (bars.empty()) return;
  Row row{std::move(label), std::move(kind), in_lanes(std::move(bars))};
  for (auto& lane : row.lanes) thin_out(lane);
  rows.push_back(std::move(row));
}

std::vector<Bar> kernel_bars(const Timeline& timeline) {
  std::vector<Bar> bars;
  for (const Interval& busy : timeline.kernels()) bars.push_back({busy, "kernels", "", BarClass::kernel});
  return bars;
}

std::vector<Bar> gap_bars(const Timeline& timeline) {
  static const std::string words[] = {"waits for a copy",    "waits for the host",   "waits for a call",
                                      "the host had waited", "waits for the launch", "loads code"};
  std::vector<Bar> bars;
  for (const Gap& gap : timeline.gaps(timeline.window(), 1)) {
    const auto cause = static_cast<std::size_t>(gap.cause);
    bars.push_back({gap.when, words[cause], gap.what,
                    static_cast<BarClass>(static_cast<std::size_t>(BarClass::gap_copy) + cause)});
  }
  return bars;
}

std::string range_detail(const Range& range) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (!range.domain.empty()) add("domain " + range.domain);
  if (!range.category_name.empty()) add("category " + range.category_name);
  const auto& payload = range.payload;
  if (payload.type.starts_with("int"))
    add(fmt::format("payload {}", payload.integer));
  else if (payload.type.starts_with("uint"))
    add(fmt::format("payload {}", payload.natural));
  else if (!payload.type.empty())
    add(fmt::format("payload {}", payload.real));
  if (range.open) add("never ended");
  return out;
}

void add_ranges(std::vector<Row>& rows, const Timeline& timeline, int thread) {
  std::vector<Bar> bars;
  for (const Range& range : timeline.ranges().ranges) {
    if (range.thread != thread) continue;
    const bool mark = range.kind == Range::Kind::mark;
    bars.push_back({{range.begin_ns, std::max(range.end_ns, range.begin_ns + 1)},
                    range.name,
                    range_detail(range),
                    mark ? BarClass::mark : BarClass::range});
  }
  add_row(rows, thread == 0 ? "NVTX" : fmt::format("NVTX {}", thread), "ranges", std::move(bars));
}

void add_threads(std::vector<Row>& rows, const Timeline& timeline) {
  std::map<int, std::vector<Bar>> calls;
  for (const Range& range : timeline.ranges().ranges) calls[range.thread];
  for (const Event* event : timeline.events()) {
    if (event->api.empty() || event->host_begin_ns < 0 || event->kind == EventKind::fault) continue;
    calls[event->thread].push_back({on_host(*event), event->api, detail_of(*event), class_of_call(*event)});
  }
  for (auto& [thread, bars] : calls) {
    add_ranges(rows, timeline, thread);
    add_row(rows, thread == 0 ? "host thread" : fmt::format("host thread {}", thread), "calls",
            std::move(bars));
  }
  std::vector<Bar> first_uses, recorder;
  for (const Event* event : timeline.events()) {
    if (event->kind != EventKind::note || event->name != "overhead") continue;
    (is_first_use(*event) ? first_uses : recorder)
        .push_back({on_host(*event), event->text, "", BarClass::overhead});
  }
  add_row(rows, "first use", "overheads", std::move(first_uses));
  add_row(rows, "recorder", "overheads", std::move(recorder));
}

void add_device(std::vector<Row>& rows, const Timeline& timeline) {
  std::map<int, std::vector<Bar>> streams;
  std::map<std::string, std::vector<Bar>> directions;
  for (const Event* event : timeline.events()) {
    if (!is_operation(*event) || event->device_begin_ns < 0) continue;
    const bool copy = event->kind == EventKind::copy;
    const std::string name = event->kind == EventKind::kernel ? event->name
                             : copy                           ? direction_of(*event)
                                                              : "memset";
    const BarClass kind = event->kind == EventKind::kernel ? BarClass::kernel : class_of_call(*event);
    const Bar bar{{event->device_begin_ns, event->device_end_ns}, name, detail_of(*event), kind};
    streams[event->stream].push_back(bar);
    if (copy) directions[direction_of(*event)].push_back(bar);
  }
  for (auto& [number, bars] : streams)
    add_row(rows, number == 0 ? "default stream" : fmt::format("stream {}", number), "stream",
            std::move(bars));
  for (auto& [direction, bars] : directions) add_row(rows, direction, "copies", std::move(bars));
}

}  // namespace

std::vector<Row> rows_of(const Timeline& timeline) {
  std::vector<Row> rows;
  add_row(rows, "kernels run", "busy", kernel_bars(timeline));
  add_row(rows, "why none", "gaps", gap_bars(timeline));
  add_threads(rows, timeline);
  add_device(rows, timeline);
  return rows;
}

}  // namespace workbook::timeline
