// right: makes a list of intervals that do not overlap, then clips and adds them
#include <algorithm>
#include <vector>

struct Interval {
  long long begin, end;
};

static std::vector<Interval> merged(std::vector<Interval> list) {
  std::sort(list.begin(), list.end(), [](Interval a, Interval b) { return a.begin < b.begin; });
  std::vector<Interval> out;
  for (const Interval& k : list) {
    if (!out.empty() && k.begin <= out.back().end) {
      out.back().end = std::max(out.back().end, k.end);
    } else {
      out.push_back(k);
    }
  }
  return out;
}

long long busy_ns(const std::vector<Interval>& kernels, Interval window) {
  long long sum = 0;
  for (const Interval& k : merged(kernels)) {
    const long long part = std::min(k.end, window.end) - std::max(k.begin, window.begin);
    if (part > 0) sum += part;
  }
  return sum;
}

double busy(const std::vector<Interval>& kernels, Interval window) {
  return window.end > window.begin ? double(busy_ns(kernels, window)) / double(window.end - window.begin) : 0;
}
