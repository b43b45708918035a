// 7.1  Busy
//
// Sorted by their beginning, the kernels are walked once. `reached` is the moment up to which everything has
// been counted; of each kernel only what lies after it, and before the end of the window, is new.
#include <algorithm>
#include <vector>

// Nanoseconds. A kernel runs from begin up to, but not including, end: it is end - begin long.
struct Interval {
  long long begin, end;
};

// For how many nanoseconds of the window at least one kernel runs. The kernels come in any order.
long long busy_ns(const std::vector<Interval>& kernels, Interval window) {
  std::vector<Interval> sorted = kernels;
  std::sort(sorted.begin(), sorted.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  long long busy = 0, reached = window.begin;
  for (const Interval& kernel : sorted) {
    const long long begin = std::max(kernel.begin, reached), end = std::min(kernel.end, window.end);
    if (begin >= end) continue;
    busy += end - begin;
    reached = end;
  }
  return busy;
}

// The same as a share of the window, from 0 to 1. In a window of no length nothing is busy.
double busy(const std::vector<Interval>& kernels, Interval window) {
  if (window.begin == window.end) return 0;
  return static_cast<double>(busy_ns(kernels, window)) / static_cast<double>(window.end - window.begin);
}
