// right: merges the kernels into busy stretches; the gaps are what lies between two of them
#include <algorithm>
#include <utility>
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

using Stretch = std::pair<long long, long long>;

static std::vector<Stretch> stretches(const std::vector<Event>& events, What what, int device) {
  std::vector<Stretch> all, merged;
  for (const Event& e : events) {
    if (e.what != what) continue;
    if (e.device == device || e.device < 0) all.emplace_back(e.begin, e.end);
  }
  std::sort(all.begin(), all.end());
  for (const Stretch& s : all) {
    if (merged.empty() || s.first > merged.back().second) {
      merged.push_back(s);
    } else {
      merged.back().second = std::max(merged.back().second, s.second);
    }
  }
  return merged;
}

std::vector<Gap> find_gaps(const std::vector<Event>& events, int device, long long least) {
  const auto busy = stretches(events, What::kernel, device);
  const What asked[] = {What::copy, What::loader, What::api};
  std::vector<Gap> gaps;
  for (std::size_t i = 1; i < busy.size(); ++i) {
    Gap gap{busy[i - 1].second, busy[i].first, Cause::launch};
    const long long length = gap.end - gap.begin;
    if (length < least) continue;
    for (int c = 2; c >= 0; --c) {
      long long outside = length;
      for (const Stretch& s : stretches(events, asked[c], device)) {
        outside -= std::max(0LL, std::min(gap.end, s.second) - std::max(gap.begin, s.first));
      }
      if (outside <= length - outside) gap.cause = static_cast<Cause>(c);
    }
    gaps.push_back(gap);
  }
  return gaps;
}
