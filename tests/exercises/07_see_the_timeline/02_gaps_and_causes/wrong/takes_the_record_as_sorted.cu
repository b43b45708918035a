// wrong: goes through the kernels in the order of the record
// verdict: wrong
// code: unsorted
// message: Which kernel is the next one in time?
#include <algorithm>
#include <vector>

// Nanoseconds, the end not included.
struct Interval {
  long long begin, end;
};

enum class What { kernel, copy, api, loader };
constexpr int host = -1;

struct Event {
  What what;
  int device;  // kernels and copies: on which device; api and loader: host
  long long begin, end;
};

enum class Cause { copy, loader, api, launch };

struct Gap {
  long long begin, end;
  Cause cause;
};

// For how many nanoseconds of the window at least one of the intervals is there: 7.1. Given.
inline long long union_ns(std::vector<Interval> list, Interval window) {
  std::sort(list.begin(), list.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  long long sum = 0, reached = window.begin;
  for (const Interval& i : list) {
    const long long begin = std::max(i.begin, reached), end = std::min(i.end, window.end);
    if (begin >= end) continue;
    sum += end - begin;
    reached = end;
  }
  return sum;
}

// The events of one sort that concern this device.
inline std::vector<Interval> pick(const std::vector<Event>& events, What what, int device) {
  std::vector<Interval> picked;
  for (const Event& e : events) {
    if (e.what == what && (e.device == device || e.device == host)) picked.push_back({e.begin, e.end});
  }
  return picked;
}

// The first of copy, loader and api that is there for at least half of the gap; launch if none is.
Cause cause_of(const std::vector<Event>& events, int device, Interval gap) {
  const auto covers_half = [&](What what) {
    return 2 * union_ns(pick(events, what, device), gap) >= gap.end - gap.begin;
  };
  if (covers_half(What::copy)) return Cause::copy;
  if (covers_half(What::loader)) return Cause::loader;
  if (covers_half(What::api)) return Cause::api;
  return Cause::launch;
}

// Every stretch of at least `least` (1 or more) nanoseconds between the first and the last kernel of `device`
// in which none of its kernels runs, in the order of time. The events come in any order; each has begin < end.
std::vector<Gap> find_gaps(const std::vector<Event>& events, int device, long long least) {
  std::vector<Interval> kernels = pick(events, What::kernel, device);
  std::vector<Gap> gaps;
  if (kernels.empty()) return gaps;
  long long reached = kernels.front().end;
  for (const Interval& kernel : kernels) {
    if (kernel.begin - reached >= least) {
      gaps.push_back({reached, kernel.begin, cause_of(events, device, {reached, kernel.begin})});
    }
    reached = std::max(reached, kernel.end);
  }
  return gaps;
}
