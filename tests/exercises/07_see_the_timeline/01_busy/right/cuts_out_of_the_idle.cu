// right: begins with an idle window and takes each kernel out of it
#include <algorithm>
#include <vector>

struct Interval {
  long long begin, end;
};

long long busy_ns(const std::vector<Interval>& kernels, Interval window) {
  std::vector<Interval> idle = {window};
  for (const Interval& k : kernels) {
    if (k.begin >= k.end) continue;
    std::vector<Interval> left;
    for (const Interval& gap : idle) {
      if (gap.begin < std::min(k.begin, gap.end)) left.push_back({gap.begin, std::min(k.begin, gap.end)});
      if (std::max(k.end, gap.begin) < gap.end) left.push_back({std::max(k.end, gap.begin), gap.end});
    }
    idle = left;
  }
  long long rest = 0;
  for (const Interval& gap : idle) rest += gap.end - gap.begin;
  return window.end - window.begin - rest;
}

double busy(const std::vector<Interval>& kernels, Interval window) {
  const long long length = window.end - window.begin;
  return length == 0 ? 0 : static_cast<double>(busy_ns(kernels, window)) / length;
}
