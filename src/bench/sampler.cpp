#include "bench/sampler.h"

#include <algorithm>
#include <cmath>

#include "kernels/step/step.h"

namespace workbook::bench {

namespace {

constexpr double hot_sample_us = 200;
constexpr int most_runs = 200;             // to a hot sample
constexpr double first_load_us = 200'000;  // of a process: until the clocks are up
constexpr double further_load_us = 5'000;
constexpr double most_load_us = 2e6;
constexpr std::size_t fewest_samples = 25, most_samples = 400;
constexpr int gpu_set_ups = 16, fewest_pairs = 5, most_pairs = 25;  // pairs to a set-up
constexpr double narrow = 0.005;                                    // half of the interval, of the median

bool model() {
  return simulated() != nullptr;
}

double drift_of(const std::vector<double>& times) {
  const auto third = static_cast<std::ptrdiff_t>(times.size() / 3);
  if (third < 3) return 0;
  const double first = median({times.begin(), times.begin() + third}),
               last = median({times.end() - third, times.end()});
  return first > 0 ? last / first - 1 : 0;
}

// Runs all of them in turn until the times of each have settled, and long enough for the clocks.
Warmth warm_up(Sampler& sampler, const std::vector<const Work*>& works, Cache cache) {
  static bool first_of_process = true;
  std::vector<std::vector<double>> times(works.size());
  Warmth warmth;
  if (model()) {
    for (const Work* work : works) sampler.sample(*work, cache, 1);
    return {1, true};
  }
  const double begin = host_us(), least = first_of_process ? first_load_us : further_load_us;
  first_of_process = false;
  while (true) {
    for (std::size_t i = 0; i < works.size(); ++i) times[i].push_back(sampler.sample(*works[i], cache, 1));
    ++warmth.runs;
    warmth.settled =
        std::all_of(times.begin(), times.end(), [](const auto& t) { return settled(t, 5, 0.01); });
    const double spent = host_us() - begin;
    if ((warmth.settled && spent >= least) || spent >= most_load_us) return warmth;
  }
}

}  // namespace

Sampler::Sampler(Watcher& watcher) : watcher_(watcher) {
  need(cudaStreamCreate(&stream_), "cudaStreamCreate");  // waits for the default stream, and that for it
  need(cudaEventCreate(&begin_), "cudaEventCreate");
  need(cudaEventCreate(&end_), "cudaEventCreate");
  if (model()) return;
  int l2 = 0;
  cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0);
  other_bytes_ = 3 * static_cast<std::size_t>(l2 > 0 ? l2 : 64 << 20);
  need(cudaMalloc(&other_, other_bytes_), "cudaMalloc of what empties the cache");
  need(cudaMalloc(&spin_, 256), "cudaMalloc");
  need(cudaMemset(spin_, 0, 256), "cudaMemset");
}

Sampler::~Sampler() {
  cudaFree(spin_);
  cudaFree(other_);
  cudaEventDestroy(end_);
  cudaEventDestroy(begin_);
  cudaStreamDestroy(stream_);
}

void Sampler::cover(Cache cache, double us) {
  if (model()) {
    if (cache == Cache::cold) simulated()->flush_l2();
    cudaStreamSynchronize(stream_);
    simulated()->device_work(us + 30);  // in the default stream, for which ours waits
    return;
  }
  if (cache == Cache::cold) cudaMemsetAsync(other_, 0, other_bytes_, stream_);
  // One operation of `step` takes some 2 ns; a flush of the cache already lasts for a launch or two.
  const double rest = cache == Cache::cold ? us - 20 : us + 10;
  if (rest > 0)
    kernels::step(spin_, 16, static_cast<int>(rest * 500), nullptr,
                  reinterpret_cast<std::uint64_t*>(static_cast<char*>(spin_) + 128), stream_);
}

double Sampler::sample(const Work& work, Cache cache, int runs) {
  float ms = 0;
  cover(cache, launch_us_ * (runs + 1));
  if (cache == Cache::hot) work(stream_);  // brings its own data back, whoever ran before
  cudaEventRecord(begin_, stream_);
  for (int i = 0; i < runs; ++i) work(stream_);
  cudaEventRecord(end_, stream_);
  need(cudaEventSynchronize(end_), "the benchmark");
  need(cudaEventElapsedTime(&ms, begin_, end_), "cudaEventElapsedTime");
  watcher_.look();
  return 1000.0 * static_cast<double>(ms) / runs;
}

double Sampler::host_us_of(const Work& work) {
  std::vector<double> times(5);
  for (double& us : times) {
    need(cudaStreamSynchronize(stream_), "the benchmark");
    const double begin = host_us();
    work(stream_);
    us = host_us() - begin;
  }
  need(cudaStreamSynchronize(stream_), "the benchmark");
  return median(times);
}

int Sampler::runs_for(const Work& work, Cache cache) {
  launch_us_ = std::clamp(host_us_of(work), 1.0, 100.0);
  if (cache == Cache::cold) return 1;
  const double one = sample(work, cache, 1);
  return std::clamp(static_cast<int>(std::ceil(hot_sample_us / std::max(one, 0.5))), 1,
                    model() ? 5 : most_runs);
}

Measured measure(Sampler& sampler, const Work& work, Cache cache, double seconds) {
  Measured m;
  sampler.sample(work, cache, 1);
  m.host_us = sampler.host_us_of(work);
  m.runs = sampler.runs_for(work, cache);
  m.warmth = warm_up(sampler, {&work}, cache);
  std::vector<double> times;
  const double begin = host_us();
  const std::size_t least = model() ? 1 : fewest_samples, most = model() ? 1 : most_samples;
  while (times.size() < most) {
    times.push_back(sampler.sample(work, cache, m.runs));
    if (times.size() < least) continue;
    m.interval = median_interval(times, 0.99);
    if (m.interval.high - m.interval.low <= 2 * narrow * median(times)) break;
    if (host_us() - begin > seconds * 1e6) break;
  }
  m.us = median(times);
  m.noise = noise(times);
  m.samples = static_cast<int>(times.size());
  m.interval = model() ? Interval{m.us, m.us} : median_interval(times, 0.99);
  m.drift = drift_of(times);
  return m;
}

namespace {

// Pairs of one set-up, A first in every second one.
void take_pairs(Sampler& sampler, const Sides& sides, Cache cache, int runs, int pairs,
                std::vector<double>& a, std::vector<double>& b) {
  for (int pair = 0; pair < pairs; ++pair) {
    if (pair % 2 == 0) a.push_back(sampler.sample(*sides.a, cache, runs));
    b.push_back(sampler.sample(*sides.b, cache, runs));
    if (pair % 2 == 1) a.push_back(sampler.sample(*sides.a, cache, runs));
  }
}

// Settles runs to a sample and pairs to a set-up, on the first set-up.
int plan(Sampler& sampler, const Sides& sides, Cache cache, double seconds, Compared& c) {
  sampler.sample(*sides.a, cache, 1);
  sampler.sample(*sides.b, cache, 1);
  c.runs = std::max(sampler.runs_for(*sides.a, cache), sampler.runs_for(*sides.b, cache));
  c.warmth = warm_up(sampler, {sides.a, sides.b}, cache);
  if (model()) return 1;
  const double begin = host_us();
  sampler.sample(*sides.a, cache, c.runs);
  sampler.sample(*sides.b, cache, c.runs);
  return std::clamp(static_cast<int>(seconds * 1e6 / gpu_set_ups / (host_us() - begin)), fewest_pairs,
                    most_pairs);
}

}  // namespace

Compared compare(Sampler& sampler, const std::function<Sides()>& set_up, Cache cache, double seconds) {
  Compared c;
  std::vector<double> all_a, all_b, ratios;
  int pairs = 0;
  const int set_ups = model() ? 1 : gpu_set_ups;
  for (c.set_ups = 0; c.set_ups < set_ups; ++c.set_ups) {
    const Sides sides = set_up();
    if (c.set_ups == 0) {
      pairs = plan(sampler, sides, cache, seconds, c);
    } else {
      for (int i = 0; i < 3; ++i) {  // the new memory's first runs
        sampler.sample(*sides.a, cache, 1);
        sampler.sample(*sides.b, cache, 1);
      }
    }
    std::vector<double> a, b;
    take_pairs(sampler, sides, cache, c.runs, pairs, a, b);
    ratios.push_back(paired_ratio(a, b).ratio);
    all_a.insert(all_a.end(), a.begin(), a.end());
    all_b.insert(all_b.end(), b.begin(), b.end());
  }
  c.ratio.ratio = median(ratios);
  c.ratio.interval = model() ? Interval{c.ratio.ratio, c.ratio.ratio} : median_interval(ratios, 0.99);
  c.ratio.pairs = static_cast<int>(all_a.size());
  c.a_us = median(all_a);
  c.b_us = median(all_b);
  c.a_noise = noise(all_a);
  c.b_noise = noise(all_b);
  c.drift = drift_of(all_a);
  return c;
}

}  // namespace workbook::bench
