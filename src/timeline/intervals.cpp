#include "timeline/intervals.h"

#include <algorithm>

namespace workbook::timeline {

namespace {

// The first interval that ends after `moment`.
Intervals::const_iterator first_after(const Intervals& set, std::int64_t moment) {
  return std::upper_bound(set.begin(), set.end(), moment,
                          [](std::int64_t m, const Interval& i) { return m < i.end; });
}

}  // namespace

Intervals unite(Intervals any) {
  std::erase_if(any, [](const Interval& i) { return i.length() == 0; });
  std::sort(any.begin(), any.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  Intervals set;
  for (const Interval& i : any) {
    if (!set.empty() && i.begin <= set.back().end)
      set.back().end = std::max(set.back().end, i.end);
    else
      set.push_back(i);
  }
  return set;
}

Intervals clip(const Intervals& set, Interval window) {
  return intersect(set, {window});
}

Intervals intersect(const Intervals& a, const Intervals& b) {
  Intervals both;
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() && y != b.end()) {
    const Interval common{std::max(x->begin, y->begin), std::min(x->end, y->end)};
    if (common.length() > 0) both.push_back(common);
    (x->end < y->end ? x : y)++;
  }
  return both;
}

Intervals complement(const Intervals& set, Interval window) {
  Intervals gaps;
  std::int64_t at = window.begin;
  for (auto i = first_after(set, window.begin); i != set.end() && i->begin < window.end; ++i) {
    if (i->begin > at) gaps.push_back({at, i->begin});
    at = std::max(at, i->end);
  }
  if (at < window.end) gaps.push_back({at, window.end});
  return gaps;
}

std::int64_t total(const Intervals& set) {
  std::int64_t sum = 0;
  for (const Interval& i : set) sum += i.length();
  return sum;
}

std::int64_t covered(const Intervals& set, Interval window) {
  std::int64_t sum = 0;
  for (auto i = first_after(set, window.begin); i != set.end() && i->begin < window.end; ++i)
    sum += Interval{std::max(i->begin, window.begin), std::min(i->end, window.end)}.length();
  return sum;
}

}  // namespace workbook::timeline
