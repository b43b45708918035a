// 7.1  Busy
//
// A record of a run gives you a list of kernels, each with its beginning and its end. Say which share of a
// window of time at least one of them runs.
//
// When it works, two kernels side by side count once, what lies outside the window doesn't count, and the
// order of the list means nothing.
#include <algorithm>
#include <vector>

// Nanoseconds. A kernel runs from begin up to, but not including, end: it is end - begin long.
struct Interval {
  long long begin, end;
};

// For how many nanoseconds of the window at least one kernel runs. The kernels come in any order.
long long busy_ns(const std::vector<Interval>& kernels, Interval window) {
  // TODO: busy_ns. You will see "one kernel" pass first; then two kernels that overlap count once.
  (void)kernels, (void)window;
  return 0;
}

// The same as a share of the window, from 0 to 1. In a window of no length nothing is busy.
double busy(const std::vector<Interval>& kernels, Interval window) {
  // TODO: busy, by busy_ns.
  (void)kernels, (void)window;
  return 0;
}
