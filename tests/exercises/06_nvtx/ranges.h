// What the checks of this chapter ask about the NVTX ranges of a run.
#pragma once

#include <workbook/check.h>

#include <algorithm>
#include <string>
#include <vector>

namespace nvtx_chapter {

using workbook::Range;
using workbook::Result;
using workbook::Step;

// "the range load, begun at line 71"
inline std::string words(const Range& range) {
  return range.line > 0 ? fmt::format("the range {}, begun at line {}", range.name, range.line)
                        : fmt::format("the range {}", range.name);
}

inline bool inside(const Range& inner, const Range& outer) {
  return inner.begin_us >= outer.begin_us && inner.end_us <= outer.end_us;
}

inline std::size_t count_of(const std::vector<Step>& steps, Step::Kind kind) {
  return static_cast<std::size_t>(
      std::count_if(steps.begin(), steps.end(), [&](const Step& s) { return s.kind == kind; }));
}

// Every range that began has ended, and nothing was ended that had not begun.
inline void expect_balanced(const Result& result) {
  const auto open = result.trace().open_ranges();
  if (!open.empty()) {
    std::vector<std::string> evidence;
    for (const Range& range : open) {
      if (evidence.size() < 4) evidence.push_back(words(range) + ", never ended");
    }
    evidence.push_back("What is named after it in the same thread counts as part of it.");
    result.fail({"open",
                 fmt::format("{} range{} {} still open at the end.", open.size(), open.size() == 1 ? "" : "s",
                             open.size() == 1 ? "is" : "are"),
                 evidence, "On which way out of the function does nobody end it?"});
  }
  result.expect_that(
      result.trace().stray_pops() == 0,
      {"stray_pop",
       fmt::format("{} times a range was ended, and none was open.", result.trace().stray_pops()),
       {"A range that is ended twice ends the one around it."},
       "Who else ends this range?"});
}

// The ranges of push and pop; a range of start and end has no place in a tree.
inline void expect_nested_kind(const Result& result, const Range& range) {
  result.expect_that(
      range.kind == Range::Kind::nested,
      {"not_nested",
       fmt::format("{} is no part of a tree.", words(range)),
       {"Ranges of start and end may overlap and end in another thread, so nothing lies in them.",
        "scoped_range, or push and pop, make a tree."},
       "Which kind of range knows what it lies in?"});
}

}  // namespace nvtx_chapter
