// wrong: takes the time from the first beginning to the last end
// verdict: wrong
// code: apart
// message: from the first beginning to the last end
// message: Who works in the gap?
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
  if (sorted.empty()) return 0;
  const long long first = std::max(sorted.front().begin, window.begin);
  long long last = first;
  for (const Interval& kernel : sorted) {
    last = std::max(last, std::min(kernel.end, window.end));
  }
  return last - first;
}

// The same as a share of the window, from 0 to 1. In a window of no length nothing is busy.
double busy(const std::vector<Interval>& kernels, Interval window) {
  if (window.begin == window.end) return 0;
  return static_cast<double>(busy_ns(kernels, window)) / static_cast<double>(window.end - window.begin);
}
