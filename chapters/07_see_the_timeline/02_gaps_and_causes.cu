// 7.2  Gaps and their causes
//
// A record of a run: kernels, copies, calls of the API, and the times in which the loader prepared data. Find
// the stretches in which the device had no kernel, and say what each of them was waiting for.
//
// When it works, a gap lies between two kernels of one device, and a loader that is slow gets the blame even
// though a call of the API waited for it all the time.
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
  // TODO: cause_of, once the gaps are there. You will see "the loader works in the gap" pass.
  (void)events, (void)device, (void)gap;
  return Cause::launch;
}

// Every stretch of at least `least` (1 or more) nanoseconds between the first and the last kernel of `device`
// in which none of its kernels runs, in the order of time. The events come in any order; each has begin < end.
std::vector<Gap> find_gaps(const std::vector<Event>& events, int device, long long least) {
  // TODO: find_gaps. You will see "one gap" pass.
  (void)events, (void)device, (void)least;
  return {};
}
