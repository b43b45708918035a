// wrong: takes the times through double, which has no room for their last digits
// verdict: wrong
// code: large_numbers
// message: how many digits does each keep
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
    const double begin = std::max<double>(kernel.begin, reached), end = std::min<double>(kernel.end, window.end);
    if (begin >= end) continue;
    busy += static_cast<long long>(end - begin);
    reached = static_cast<long long>(end);
  }
  return busy;
}

// The same as a share of the window, from 0 to 1. In a window of no length nothing is busy.
double busy(const std::vector<Interval>& kernels, Interval window) {
  if (window.begin == window.end) return 0;
  return static_cast<double>(busy_ns(kernels, window)) / static_cast<double>(window.end - window.begin);
}
