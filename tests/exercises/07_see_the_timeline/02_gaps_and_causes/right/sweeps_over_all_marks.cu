// right: walks through all beginnings and ends once, and counts what is there
#include <algorithm>
#include <map>
#include <vector>

enum class What { kernel, copy, api, loader };
constexpr int host = -1;

struct Event {
  What what;
  int device;
  long long begin, end;
};

enum class Cause { copy, loader, api, launch };

struct Gap {
  long long begin, end;
  Cause cause;
};

struct Mark {
  int by[4] = {0, 0, 0, 0};
};

std::vector<Gap> find_gaps(const std::vector<Event>& events, int device, long long least) {
  std::map<long long, Mark> marks;
  int kernels_to_come = 0;
  for (const Event& e : events) {
    if (e.device != device && e.device != host) continue;
    ++marks[e.begin].by[static_cast<int>(e.what)];
    --marks[e.end].by[static_cast<int>(e.what)];
    kernels_to_come += e.what == What::kernel;
  }
  std::vector<Gap> gaps;
  int now[4] = {0, 0, 0, 0};
  long long there[4] = {0, 0, 0, 0}, since = 0, gap_begin = 0;
  bool seen_a_kernel = false, in_gap = false;
  for (const auto& [at, mark] : marks) {
    for (int w = 0; w < 4; ++w) {
      if (in_gap && now[w] > 0) there[w] += at - since;
      now[w] += mark.by[w];
    }
    since = at;
    if (now[0] > 0 && in_gap) {
      const long long length = at - gap_begin;
      const Cause cause = 2 * there[1] >= length   ? Cause::copy
                          : 2 * there[3] >= length ? Cause::loader
                          : 2 * there[2] >= length ? Cause::api
                                                   : Cause::launch;
      if (length >= least) gaps.push_back({gap_begin, at, cause});
      in_gap = false;
    }
    if (now[0] > 0) seen_a_kernel = true;
    if (now[0] == 0 && seen_a_kernel && !in_gap) {
      in_gap = true;
      gap_begin = at;
      for (long long& t : there) t = 0;
    }
  }
  return gaps;
}
