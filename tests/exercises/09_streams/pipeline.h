// What the checks of 9.1 and 9.2 ask: the values, the moment of the return, the copies, the streams, the
// memory.
#pragma once

#include <workbook/check.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace streams {

using workbook::Result;
using workbook::Step;
using Kind = workbook::Step::Kind;

inline std::string words(const Step& step) {
  const std::string what = step.kind == Kind::kernel ? "the launch of " + step.name : step.api;
  return step.line > 0 ? fmt::format("{} at line {}", what, step.line) : what;
}

inline std::vector<float> softened(std::vector<float> x) {
  for (float& v : x) {
    for (int r = 0; r < 4; ++r) v = std::fma(v, 0.75f, 0.25f);
  }
  return x;
}

inline bool poison(float v) {
  std::uint32_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits == 0xffffffffu;
}

inline void expect_done(const Result& result) {
  const std::int64_t late = result.integer("late");
  result.expect_that(late == 0,
                     {"returned_early",
                      fmt::format("When the function returned, {} of its results had not arrived.", late),
                      {"They came later. The caller reads h_y at once."},
                      "Who waits for the last copy of each stream?"});
}

// Work that only cudaFree waited for: it does so today, and cudaFreeAsync or memory of the caller would not.
// Only where the trace knows the device's times.
inline void expect_waited_for(const Result& result) {
  const std::vector<Step> steps = result.trace().steps();
  const auto covers = [](const Step& wait, const Step& work) {
    const bool asks = wait.api == "cudaStreamQuery" || wait.api == "cudaEventQuery";
    return (wait.kind == Kind::synchronise || (asks && wait.result == 0)) &&
           wait.host_begin_us >= work.host_begin_us && wait.host_end_us >= work.device_end_us;
  };
  for (const Step& work : steps) {
    if ((work.kind != Kind::copy && work.kind != Kind::kernel) || work.device_end_us < 0) continue;
    const bool freed_meanwhile = std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
      return step.api == "cudaFree" && step.host_begin_us >= work.host_begin_us &&
             step.host_begin_us < work.device_end_us;
    });
    if (!freed_meanwhile) continue;
    if (std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return covers(step, work); }))
      continue;
    result.fail(
        {"only_the_free_waits",
         fmt::format("{} in stream {} was still under way when cudaFree was called, and no wait of "
                     "yours covers it.",
                     words(work), work.stream),
         {"The results are there because cudaFree happens to wait for the device. With cudaFreeAsync, or "
          "with buffers that are kept, nobody would have waited."},
         "Which of your calls waits for this stream?"});
  }
}

// What lies behind the last element belongs to the caller.
inline void expect_tail_untouched(const Result& result, int n) {
  const std::vector<float> y = result.array<float>("y");
  for (std::size_t i = n; i < y.size(); ++i) {
    if (poison(y[i])) continue;
    result.fail({"wrote_behind_the_end",
                 fmt::format("h_y[{}] was written, and the result ends at h_y[{}].", i, n - 1),
                 {"The last chunk is shorter than the others."},
                 "How many floats does the last chunk have, and how many did you copy out?"});
  }
}

inline void expect_values(const Result& result, const std::vector<float>& x) {
  std::vector<float> expected = result.array<float>("y");
  const std::vector<float> y = softened(x);
  std::copy(y.begin(), y.end(), expected.begin());
  result.expect("y", expected, workbook::within(1e-6));
}

inline void expect_pinned_copies(const Result& result) {
  for (const Step& copy : result.trace().of(Kind::copy)) {
    if (copy.pinned || copy.direction == "device to device" || copy.bytes == 0) continue;
    result.fail(
        {"pageable",
         fmt::format("{} copies {} with pageable memory.", words(copy), copy.direction),
         {"From pageable memory the call itself copies, and returns when it is done: nothing overlaps (8.3).",
          "h_x and h_y are pinned."},
         "Which memory does this copy use, and why not h_x and h_y themselves?"});
  }
}

// The streams in which copies and kernels were queued.
inline std::set<int> used_streams(const Result& result) {
  std::set<int> used;
  for (const Step& step : result.trace().steps()) {
    const bool queued = step.kind == Kind::copy || step.kind == Kind::kernel;
    if (queued && step.direction != "host to host") used.insert(step.stream);
  }
  return used;
}

// Device memory at one time, in bytes.
inline std::uint64_t most_device_memory(const Result& result) {
  std::uint64_t now = 0, most = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks;
  std::vector<Step> steps = result.trace().steps();
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.host_begin_us < b.host_begin_us; });
  for (const Step& step : steps) {
    if (step.result != 0 || step.address == 0) continue;
    if (step.kind == Kind::allocate && step.api.find("Host") == std::string::npos) {
      blocks.emplace_back(step.address, step.bytes);
      most = std::max(most, now += step.bytes);
    }
    if (step.kind != Kind::release) continue;
    const auto found = std::find_if(blocks.begin(), blocks.end(),
                                    [&](const auto& block) { return block.first == step.address; });
    if (found == blocks.end()) continue;
    now -= found->second;
    blocks.erase(found);
  }
  return most;
}

inline void expect_room(const Result& result, int chunk) {
  const std::uint64_t chunk_bytes = static_cast<std::uint64_t>(chunk) * sizeof(float),
                      most = most_device_memory(result);
  result.expect_that(
      most <= 8 * chunk_bytes,
      {"whole_arrays",
       fmt::format("{} bytes of device memory at one time; a chunk has {}, and there is room for 8 chunks.",
                   most, chunk_bytes),
       {"n may be far more than the memory of the device holds: that is what chunks are for."},
       "How many chunks are on the device at one time?"});
}

inline void expect_all_freed(const Result& result) {
  const std::vector<Step> leaks = result.trace().leaks();
  if (leaks.empty()) return;
  result.fail({"missing_free",
               fmt::format("{} bytes of {} were never freed.", leaks.front().bytes, words(leaks.front())),
               {},
               "Which buffer of which lane does nobody give back?"});
}

}  // namespace streams
