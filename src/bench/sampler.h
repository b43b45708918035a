// How long work takes on the device: one honest sample at a time, and how many of them.
//
// Cold: L2 is emptied in the stream (three times its bytes are written), then come an event, one run, an
// event. Hot: an event, as many runs as last a fifth of a millisecond, an event. In both cases the device is
// busy before the first event for as long as the host needs to queue what is behind it, so that no sample
// holds a launch's way. The formulas are those of workbook/statistics.h.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <vector>

#include "bench/device.h"
#include "workbook/statistics.h"

namespace workbook::bench {

enum class Cache { cold, hot };
using Work = std::function<void(cudaStream_t)>;

class Sampler {
 public:
  explicit Sampler(Watcher& watcher);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // Microseconds of one run: the mean of `runs` when hot.
  double sample(const Work& work, Cache cache, int runs);
  // What the host needs to queue one run.
  double host_us_of(const Work& work);
  int runs_for(const Work& work, Cache cache);  // to a sample

 private:
  void cover(Cache cache, double host_us);
  Watcher& watcher_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  void* other_ = nullptr;  // what is written to empty the cache
  std::size_t other_bytes_ = 0;
  void* spin_ = nullptr;
  double launch_us_ = 5;
};

struct Warmth {
  int runs = 0;
  bool settled = false;
};

struct Measured {
  double us = 0, noise = 0;
  Interval interval;
  int samples = 0, runs = 1;  // runs to a sample
  double drift = 0;           // median of the last third / median of the first - 1
  double host_us = 0;
  Warmth warmth;
};

struct Compared {
  PairedRatio ratio;  // time of `b` / time of `a`; its `pairs` are those of all set-ups
  int set_ups = 0;
  double a_us = 0, b_us = 0, a_noise = 0, b_noise = 0, drift = 0;
  int runs = 1;
  Warmth warmth;
};

// Differences below this are not told: code and data of two programs lie at different addresses.
constexpr double least_difference = 0.005;
// Nor is one below this, in microseconds, on a GPU: one and the same kernel of 9 us came out up to 1.4 %
// faster or slower than itself, in half of 100 comparisons (H200, 2026-12-01; docs/bench.md).
constexpr double least_difference_us = 0.15;

// `seconds`: how long sampling may take; it ends earlier when the median is known to half a percent.
Measured measure(Sampler& sampler, const Work& work, Cache cache, double seconds);

// The two sides of one set-up; valid until the next one is asked for.
struct Sides {
  const Work* a;
  const Work* b;
};

// Interleaved, over several set-ups. Where the data of a kernel lies moves its time by a few tenths of a
// microsecond, for as long as it lies there (H200: 20 us kernels, cold, differed from themselves by 1.4 % in
// half of all set-ups). So what is compared is set up anew, in other places, some sixteen times; each time
// gives one ratio, the median of its pairs, and the interval is that of these. All numbers are settled before
// the first pair: looking while sampling finds what isn't there.
Compared compare(Sampler& sampler, const std::function<Sides()>& set_up, Cache cache, double seconds);

}  // namespace workbook::bench
