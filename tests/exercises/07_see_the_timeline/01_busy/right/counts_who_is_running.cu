// right: plus one at each beginning, minus one at each end; busy where the count is above zero
#include <algorithm>
#include <map>
#include <vector>

struct Interval {
  long long begin, end;
};

long long busy_ns(const std::vector<Interval>& kernels, Interval window) {
  std::map<long long, int> change;
  for (const Interval& k : kernels) {
    ++change[std::clamp(k.begin, window.begin, window.end)];
    --change[std::clamp(k.end, window.begin, window.end)];
  }
  long long busy = 0, since = window.begin;
  int running = 0;
  for (const auto& [at, by] : change) {
    if (running > 0) busy += at - since;
    running += by;
    since = at;
  }
  return busy;
}

double busy(const std::vector<Interval>& kernels, Interval window) {
  const double length = window.end - window.begin;
  return length > 0 ? busy_ns(kernels, window) / length : 0.0;
}
