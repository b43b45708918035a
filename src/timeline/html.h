// A timeline as one HTML file that needs nothing else: no network, no library, no font. The words and tables
// stand in it as text; the picture is drawn from data inside the file by a script inside the file
// (src/timeline/page), so that it can be zoomed. With two runs the pictures stand one above the other on one
// time scale, before and after.
#pragma once

#include <string>
#include <vector>

#include "timeline/analysis.h"
#include "timeline/summary.h"

namespace workbook::timeline {

struct Shown {
  std::string label;  // "before", "now", or empty when there is only one
  const Timeline* timeline = nullptr;
  const Summary* summary = nullptr;
};

std::string html_page(const std::string& title, const std::vector<Shown>& runs);

}  // namespace workbook::timeline
