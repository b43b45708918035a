// The rows of the picture: kernels and why none ran, NVTX ranges and CUDA calls of each host thread, streams,
// copy directions. Each row has as many lanes as its bars need so as not to overlap; a bar is seven numbers
// of the page's data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "timeline/analysis.h"

namespace workbook::timeline {

// The order is that of CLASSES in page/page.js.
enum class BarClass : std::uint8_t {
  kernel,
  copy,
  pageable,
  memset,
  launch,
  call,
  wait,
  memory,
  range,
  overhead,
  mark,
  gap_copy,
  gap_loader,
  gap_api,
  gap_synchronise,
  gap_launch,
  gap_first_use,
};

struct Bar {
  Interval when;
  std::string name, detail;
  BarClass kind{};
};

struct Row {
  std::string label, kind;
  std::vector<std::vector<Bar>> lanes;  // bars of a lane do not overlap, and are sorted
};

// At most so many bars of one lane are kept apart; beyond, neighbours that nobody could tell apart become
// one.
inline constexpr std::size_t most_bars = 12'000;

std::vector<Row> rows_of(const Timeline& timeline);

}  // namespace workbook::timeline
