// What the checks of this chapter ask of the trace about pinned memory: cudaMallocHost, cudaHostAlloc and
// cudaHostRegister pin, cudaFreeHost and cudaHostUnregister let go.
#pragma once

#include <workbook/check.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pinned_memory {

using workbook::Result;
using workbook::Step;

inline bool pins(const Step& step) {
  return step.result == 0 && step.address != 0 &&
         (step.api == "cudaMallocHost" || step.api == "cudaHostAlloc" || step.api == "cudaHostRegister");
}
inline bool unpins(const Step& step) {
  return step.result == 0 && step.address != 0 &&
         (step.api == "cudaFreeHost" || step.api == "cudaHostUnregister");
}

// "cudaMemcpy at line 31", or "cudaMemcpy" where the line is unknown.
inline std::string words(const Step& step) {
  return step.line > 0 ? fmt::format("{} at line {}", step.api, step.line) : step.api;
}

inline std::string in_mib(std::uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return bytes % (1 << 20) == 0 ? fmt::format("{} MiB", bytes >> 20)
         : mib >= 1             ? fmt::format("{:.2f} MiB", mib)
                                : fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

struct Locked {
  std::uint64_t most = 0, in_the_end = 0;  // bytes
  std::size_t pinned = 0;                  // how often memory was pinned
  Step last;                               // that pinned something
};

// Pinned memory of the learner's regions, call by call.
inline Locked locked_memory(const Result& result) {
  std::vector<Step> steps = result.trace().steps();
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.host_begin_us < b.host_begin_us; });
  Locked locked;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks;  // address, bytes
  for (const Step& step : steps) {
    if (pins(step)) {
      blocks.emplace_back(step.address, step.bytes);
      locked.in_the_end += step.bytes;
      locked.most = std::max(locked.most, locked.in_the_end);
      ++locked.pinned;
      locked.last = step;
    }
    if (!unpins(step)) continue;
    const auto found = std::find_if(blocks.begin(), blocks.end(),
                                    [&](const auto& block) { return block.first == step.address; });
    if (found == blocks.end()) continue;
    locked.in_the_end -= found->second;
    blocks.erase(found);
  }
  return locked;
}

inline void expect_nothing_locked(const Result& result) {
  const Locked locked = locked_memory(result);
  result.expect_that(
      locked.in_the_end == 0,
      {"still_locked",
       fmt::format("{} of pinned memory are still locked in the end.", in_mib(locked.in_the_end)),
       {fmt::format("pinned {} time{}, the last time by {}", locked.pinned, locked.pinned == 1 ? "" : "s",
                    words(locked.last)),
        "Nobody else can use these pages until the program ends."},
       "Which call gives pinned memory back, and on which way out of your function does it stand?"});
}

}  // namespace pinned_memory
