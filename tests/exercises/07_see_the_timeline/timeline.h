// Small timelines drawn with letters: what the checks of 7.1 and 7.2 show a learner of a case that went
// wrong.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace timeline {

struct Bar {
  std::string name;
  std::int64_t begin, end;
};

constexpr std::int64_t widest = 44;  // columns, one for each nanosecond
constexpr std::size_t most_bars = 12;

inline std::string row(const Bar& bar, std::int64_t from, std::int64_t to) {
  std::string text;
  for (std::int64_t t = from; t < to; ++t) text += t >= bar.begin && t < bar.end ? '#' : '.';
  return fmt::format("{:9} {}  [{}, {})", bar.name, text, bar.begin, bar.end);
}

// One row a bar, one column a nanosecond; without columns when the bars span too much time.
inline std::vector<std::string> draw(const std::vector<Bar>& bars) {
  if (bars.empty()) return {};
  std::int64_t from = bars.front().begin, to = bars.front().end;
  for (const Bar& bar : bars) {
    from = std::min(from, bar.begin);
    to = std::max(to, bar.end);
  }
  const bool fits = to - from <= widest;
  std::vector<std::string> lines;
  for (const Bar& bar : bars) {
    if (lines.size() == most_bars) {
      lines.push_back(fmt::format("and {} more", bars.size() - most_bars));
      break;
    }
    lines.push_back(fits ? row(bar, from, to) : fmt::format("{:9} [{}, {})", bar.name, bar.begin, bar.end));
  }
  return lines;
}

}  // namespace timeline
