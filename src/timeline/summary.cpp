#include "timeline/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace workbook::timeline {

using trace::Event;
using trace::EventKind;
using trace::MemoryKind;

namespace {

// Above this the device has little left to gain between its kernels.
constexpr double well_used = 0.9;
constexpr std::size_t longest_gaps = 5;

bool host_side(MemoryKind kind) {
  return kind == MemoryKind::pageable || kind == MemoryKind::pinned || kind == MemoryKind::none;
}

std::string in_quotes(const std::string& text) {
  return "\"" + text + "\"";
}

std::string times(std::size_t count) {
  return count == 1 ? "once" : fmt::format("{} times", count);
}

std::string at(const std::string& place) {
  return place.empty() ? "" : fmt::format(" ({})", place);
}

// --- collecting ---

std::vector<CauseShare> shares_of(const std::vector<Gap>& gaps) {
  std::vector<CauseShare> shares(causes);
  std::vector<std::map<std::string, std::int64_t>> names(causes);
  std::vector<std::int64_t> pageable(causes);
  for (const Gap& gap : gaps) {
    const auto cause = static_cast<std::size_t>(gap.cause);
    shares[cause].cause = gap.cause;
    shares[cause].time += gap.when.length();
    ++shares[cause].gaps;
    names[cause][gap.what] += gap.when.length();
    if (gap.pageable) pageable[cause] += gap.when.length();
  }
  for (std::size_t i = 0; i < causes; ++i) {
    std::int64_t most = 0;
    for (const auto& [name, time] : names[i]) {
      if (time <= most) continue;
      most = time;
      shares[i].what = name;
    }
    shares[i].pageable = 2 * pageable[i] >= shares[i].time && shares[i].time > 0;
  }
  std::erase_if(shares, [](const CauseShare& s) { return s.time == 0; });
  std::stable_sort(shares.begin(), shares.end(),
                   [](const CauseShare& a, const CauseShare& b) { return a.time > b.time; });
  return shares;
}

std::vector<KernelTotal> kernels_of(const Timeline& timeline) {
  std::map<std::string, KernelTotal> by_name;
  for (const Event* event : timeline.events()) {
    if (event->kind != EventKind::kernel || event->result != 0) continue;
    KernelTotal& total = by_name[event->name];
    total.name = event->name;
    ++total.launches;
    if (event->device_begin_ns >= 0) total.time += event->device_end_ns - event->device_begin_ns;
  }
  std::vector<KernelTotal> out;
  for (auto& [name, total] : by_name) out.push_back(std::move(total));
  std::stable_sort(out.begin(), out.end(),
                   [](const KernelTotal& a, const KernelTotal& b) { return a.time > b.time; });
  return out;
}

std::vector<CopyTotal> copies_of(const Timeline& timeline) {
  std::map<std::pair<std::string, bool>, CopyTotal> by_way;
  for (const Event* event : timeline.events()) {
    if (event->kind != EventKind::copy || event->result != 0) continue;
    const bool pageable = touches_pageable(*event);
    CopyTotal& total = by_way[{direction_of(*event), pageable}];
    total.direction = direction_of(*event);
    total.pageable = pageable;
    ++total.copies;
    total.bytes += event->bytes;
    if (event->device_begin_ns >= 0) total.time += event->device_end_ns - event->device_begin_ns;
  }
  std::vector<CopyTotal> out;
  for (auto& [way, total] : by_way) out.push_back(std::move(total));
  std::stable_sort(out.begin(), out.end(),
                   [](const CopyTotal& a, const CopyTotal& b) { return a.time > b.time; });
  return out;
}

std::vector<RangeTotal> ranges_of(const Timeline& timeline) {
  std::vector<RangeTotal> out;
  std::map<std::string, std::size_t> places;
  for (const Range& range : timeline.ranges().ranges) {
    if (range.kind == Range::Kind::mark) continue;
    const auto [entry, is_new] = places.try_emplace(range.name, out.size());
    if (is_new) out.push_back({range.name, 0, range.depth, 0, 0});
    RangeTotal& total = out[entry->second];
    ++total.count;
    total.host += range.end_ns - range.begin_ns;
    total.device += project(range, timeline.events()).busy;
  }
  return out;
}

// What came before the first device operation: the context, loading, and the rest.
std::vector<std::string> before_first(const Timeline& timeline, Interval window) {
  std::map<std::string, std::int64_t> by_kind;
  for (const Event* event : timeline.events()) {
    if (!is_first_use(*event) || event->host_begin_ns >= window.begin) continue;
    by_kind[first_use_kind(*event)] += event->host_end_ns - event->host_begin_ns;
  }
  static const std::pair<const char*, const char*> words[] = {{"driver", "starting the driver"},
                                                              {"context", "making the context"},
                                                              {"jit", "compiling PTX"},
                                                              {"module_load", "loading device code"},
                                                              {"module_data", "memory for variables"},
                                                              {"function_load", "loading kernels"},
                                                              {"first_launch", "the first launch of all"}};
  std::vector<std::string> out;
  for (const auto& [kind, text] : words) {
    if (by_kind[kind] > 0) out.push_back(fmt::format("{} {}", text, time_words(by_kind[kind])));
  }
  return out;
}

// --- the first sentence ---

// The call that waits in a loop, and how often; empty when none does.
struct Loop {
  std::string call, place;
  std::size_t count = 0;
};
Loop most_repeated(const Timeline& timeline, const PlaceOf& place) {
  Loop out;
  for (const RepeatedWait& wait : timeline.waits_in_loops()) {
    if (wait.waits.size() <= out.count) continue;
    out = {wait.api, place ? place(*wait.waits.front()) : std::string(), wait.waits.size()};
  }
  return out;
}

// `much` is the share of the time in which no kernel ran because of it: "57 % of the time".
std::string cause_sentence(const CauseShare& share, const std::string& much, const Loop& loop) {
  switch (share.cause) {
    case Cause::copy:
      return share.pageable
                 ? fmt::format("Copies of pageable memory keep the kernels waiting, {}.", much)
                 : fmt::format("The kernels wait for copies, which do not run beside them, {}.", much);
    case Cause::loader:
      return share.what.empty()
                 ? fmt::format("The GPU waits for the host, which is busy outside CUDA, {}.", much)
                 : fmt::format("The GPU waits for the loader, the host's range {}, {}.",
                               in_quotes(share.what), much);
    case Cause::api:
      return fmt::format("{} between the kernels keeps the GPU idle {}.", share.what, much);
    case Cause::synchronise:
      return loop.count > 0
                 ? fmt::format("A synchronise in the loop keeps the GPU idle {}: {}, called {}.", much,
                               loop.call, times(loop.count))
                 : fmt::format("The GPU is idle {}, each time after the host had waited for it.", much);
    case Cause::launch:
      return fmt::format("The kernels are too short for their launches: between them nothing runs {}.", much);
    case Cause::first_use:
      return fmt::format("Loading and compiling device code at its first use takes {}.", much);
  }
  return {};
}

std::string headline_of(const Summary& s, const Loop& loop) {
  if (s.window.length() == 0) return "The device had nothing to do: no kernel, copy or memset ran.";
  if (s.kernels.empty())
    return fmt::format("No kernel ran: {} went into copies and fills alone.", time_words(s.window.length()));
  if (s.causes.empty() || s.busy >= well_used)
    return fmt::format("The GPU is well used: a kernel ran {} of the time.", percent(s.busy));
  const double share = static_cast<double>(s.causes[0].time) / static_cast<double>(s.window.length());
  return cause_sentence(s.causes[0], percent(share) + " of the time", loop);
}

// --- what to mend ---

std::string copy_place(const Timeline& timeline, const PlaceOf& place, bool pageable) {
  if (!place) return {};
  const Event* longest = nullptr;
  for (const Event* event : timeline.events()) {
    if (event->kind != EventKind::copy || touches_pageable(*event) != pageable) continue;
    if (longest == nullptr || event->bytes > longest->bytes) longest = event;
  }
  return longest == nullptr ? std::string() : place(*longest);
}

std::string advice_for(const CauseShare& share, const Timeline& timeline, const PlaceOf& place,
                       const Loop& loop) {
  switch (share.cause) {
    case Cause::copy:
      if (share.pageable)
        return fmt::format(
            "Take the host's side of the copies from cudaMallocHost{}: pinned memory is read by the "
            "device itself, at several times the rate, and beside kernels.",
            at(copy_place(timeline, place, true)));
      return fmt::format(
          "Cut the work into pieces and copy one while another is computed: two streams and "
          "cudaMemcpyAsync{}. Or copy less: what the device made it need not get back.",
          at(copy_place(timeline, place, false)));
    case Cause::loader:
      return share.what.empty()
                 ? "Let another thread prepare the next piece while the GPU computes this one. An NVTX range "
                   "around "
                   "each step of the host would name the slow one here."
                 : fmt::format(
                       "Let worker threads run {} for the next pieces while the GPU computes this one, "
                       "as many as it takes: its time divided by the GPU's.",
                       in_quotes(share.what));
    case Cause::api:
      return fmt::format("Call {} once, before the loop, and use its result again.", share.what);
    case Cause::synchronise:
      return fmt::format(
          "Wait once, after the loop{}: work in one stream keeps its order by itself, and an event "
          "(cudaStreamWaitEvent) orders two streams without the host.",
          at(loop.place));
    case Cause::first_use:
      return "Only the first launches pay this: warm up before you measure. Where PTX is compiled, build for "
             "this "
             "GPU (-gencode with its sm_ number).";
    case Cause::launch:
      return "Do more in each launch: fewer, larger kernels, or a CUDA graph for a sequence that comes back.";
  }
  return {};
}

std::vector<std::string> advice_of(const Summary& s, const Timeline& timeline, const PlaceOf& place,
                                   const Loop& loop) {
  std::vector<std::string> out;
  if (s.window.length() == 0 || s.kernels.empty()) return out;
  const auto whole = static_cast<double>(s.window.length());
  for (const CauseShare& share : s.causes) {
    // What is less than a tenth of the time comes later, when the rest is mended.
    if (static_cast<double>(share.time) >= 0.1 * whole && s.busy < well_used)
      out.push_back(advice_for(share, timeline, place, loop));
  }
  if (out.empty()) {
    const KernelTotal& hot = s.kernels.front();
    out.push_back(fmt::format("What is left to gain lies in the kernels: {} takes {} in {} launch{}.",
                              hot.name, time_words(hot.time), hot.launches, hot.launches == 1 ? "" : "es"));
  }
  return out;
}

}  // namespace

std::string time_words(std::int64_t ns) {
  const auto value = static_cast<double>(ns);
  const auto figures = [](double v, const char* unit) {
    const int decimals = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", v, decimals, unit);
  };
  if (ns < 1000) return fmt::format("{} ns", ns);
  if (value < 999.5e3) return figures(value / 1e3, "us");
  if (value < 999.5e6) return figures(value / 1e6, "ms");
  return figures(value / 1e9, "s");
}

std::string bytes_words(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes < 1024) return fmt::format("{} B", bytes);
  if (value < 1024.0 * 1024) return fmt::format("{:.1f} KiB", value / 1024);
  if (value < 1024.0 * 1024 * 1024) return fmt::format("{:.1f} MiB", value / (1024.0 * 1024));
  return fmt::format("{:.1f} GiB", value / (1024.0 * 1024 * 1024));
}

std::string percent(double share) {
  const double value = 100 * share;
  return value > 0 && value < 0.95 ? fmt::format("{:.1f} %", value) : fmt::format("{:.0f} %", value);
}

std::string direction_of(const Event& copy) {
  return fmt::format("{} to {}", host_side(copy.from) ? "host" : "device",
                     host_side(copy.to) ? "host" : "device");
}

Summary summarize(const Timeline& timeline, const trace::Header& header, const PlaceOf& place) {
  Summary s;
  s.device = header.profile.empty() ? header.device_name : header.profile;
  s.modelled = header.modelled;
  s.window = timeline.window();
  s.busy = timeline.busy(s.window);
  s.copy_busy = timeline.copy_busy(s.window);
  s.overlap = timeline.overlap(s.window);
  s.kernels = kernels_of(timeline);
  s.copies = copies_of(timeline);
  s.ranges = ranges_of(timeline);
  std::vector<Gap> gaps = timeline.gaps(s.window, 1);
  s.causes = shares_of(gaps);
  std::stable_sort(gaps.begin(), gaps.end(),
                   [](const Gap& a, const Gap& b) { return a.when.length() > b.when.length(); });
  gaps.resize(std::min(gaps.size(), longest_gaps));
  s.longest = std::move(gaps);
  s.before = before_first(timeline, s.window);
  const Loop loop = most_repeated(timeline, place);
  s.headline = headline_of(s, loop);
  s.figures = fmt::format("kernels {} of {}, copies {}, of these {} beside a kernel", percent(s.busy),
                          time_words(s.window.length()), percent(s.copy_busy), percent(s.overlap));
  s.advice = advice_of(s, timeline, place, loop);
  return s;
}

}  // namespace workbook::timeline
