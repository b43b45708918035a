// A timeline as a person reads it in a terminal: what kept the device idle, the rows in 76 columns, what to
// fix first, and the figures behind it.
#pragma once

#include <string>

#include "timeline/summary.h"

namespace workbook::cli {

struct TimelinePage {
  std::string title;  // the program
  bool color = false;
};

std::string timeline_page(const timeline::Timeline& timeline, const timeline::Summary& summary,
                          const TimelinePage& page);

// The rows alone, `columns` wide, with a scale above and the meaning of the letters below.
std::string timeline_rows(const timeline::Timeline& timeline, std::size_t columns);

// Two lines on what changed from one run to another.
std::string comparison(const timeline::Summary& before, const timeline::Summary& now);

}  // namespace workbook::cli
