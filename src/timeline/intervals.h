// Sets of moments on one time axis, as sorted intervals that do not touch.
//
//   const Intervals busy = unite(kernels);            // overlapping and unsorted ones become one set
//   total(clip(busy, window)) / length(window)        // the busy fraction
//   complement(busy, window)                          // the gaps
//
// All times are nanoseconds; an interval is half open, [begin, end), and one that is empty or turned round
// counts as nothing.
#pragma once

#include <cstdint>
#include <vector>

namespace workbook::timeline {

struct Interval {
  std::int64_t begin = 0, end = 0;
  std::int64_t length() const { return end > begin ? end - begin : 0; }
  bool operator==(const Interval&) const = default;
};
using Intervals = std::vector<Interval>;

// From any intervals: sorted, merged where they overlap or touch.
Intervals unite(Intervals any);
// Of sets that `unite` made:
Intervals clip(const Intervals& set, Interval window);
Intervals intersect(const Intervals& a, const Intervals& b);
Intervals complement(const Intervals& set, Interval window);
std::int64_t total(const Intervals& set);
std::int64_t covered(const Intervals& set, Interval window);  // total(clip(...)), without making it

}  // namespace workbook::timeline
