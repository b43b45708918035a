// Times of the learner's code beside a baseline's, interleaved in one process.
//
// On a GPU: both warm; at least 9 pairs, first one side then the other; L2 evicted before each sample by a
// memset that is queued just before the first event, so that the host has queued the launch before the device
// reaches it and a sample holds no launch latency; what begins and ends a sample says sample.h. Short work is
// repeated until a sample lasts 50 us. The figure is the median of the ratios, pair by pair. On the simulated
// device: one warm call and one sample of each; the same filler hides the launch there too.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include "harness/runner/call_state.h"
#include "harness/runner/device.h"
#include "harness/runner/sample.h"

namespace workbook {

namespace {

using runner::GraderError;
using runner::Own;
using Body = std::function<void()>;

constexpr int gpu_pairs = 11;
constexpr double shortest_sample_us = 50;
constexpr int most_repeats = 32;
constexpr double filler_us = 30;  // simulated device; as a memset of 64 MiB

void need(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw GraderError{std::string(what) + ": " + cudaGetErrorName(error)};
}

// Evicts L2 and leaves the device busy for a moment, so that the sample's launch is queued before its turn
// comes.
void cover_the_launch() {
  runner::flush_l2();  // on a GPU this is work enough
  if (runner::simulated() != nullptr) runner::simulated()->device_work(filler_us);
}

class Events {
 public:
  Events() {
    const Own own;
    need(cudaEventCreate(&begin_), "cudaEventCreate");
    need(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~Events() {
    const Own own;
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  void begin() { runner::open_sample(begin_, end_); }
  void end() { runner::close_sample(); }
  // 0 when the device failed; the error stays for the caller to drain.
  double us() {
    const Own own;
    float ms = 0;
    if (cudaEventSynchronize(end_) != cudaSuccess || cudaEventElapsedTime(&ms, begin_, end_) != cudaSuccess)
      return 0;
    return 1000.0 * static_cast<double>(ms);
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

double wait_for_device() {
  const Own own;
  cudaDeviceSynchronize();
  return 0;
}

double sample_device(Events& events, const Body& body, int repeats) {
  cover_the_launch();
  events.begin();
  for (int i = 0; i < repeats; ++i) body();
  events.end();
  const double us = events.us() / repeats;
  wait_for_device();  // work that nobody told of does not run into the next sample
  return us;
}

double sample_wall(const Body& body) {
  wait_for_device();
  runner::flush_l2();
  wait_for_device();
  const auto begin = std::chrono::steady_clock::now();
  body();
  wait_for_device();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

// What each run of the learner's code finds: see Call::fresh_each_time.
class Freshness {
 public:
  explicit Freshness(Call::State& state) : state_(state) {}
  void before_a_run(bool seen = false) {
    if (state_.fresh.empty()) return;
    wait_for_device();
    state_.buffers.renew();
    ++runs_;
    for (const std::string& name : state_.fresh) {
      if (!seen) state_.buffers.rotate(name, runs_);
    }
  }
  void after_a_run(bool seen) {
    if (!state_.fresh.empty() && seen) state_.buffers.keep_outputs();
  }
  void end() {
    if (!state_.fresh.empty()) state_.buffers.restore();
  }

 private:
  Call::State& state_;
  std::size_t runs_ = 0;
};

template <class Sample>
Measured measure_pairs(const Sample& sample, const Body& learner, const Body& baseline, Freshness& fresh) {
  const int pairs = runner::simulated() != nullptr ? 1 : gpu_pairs;
  const int seen = pairs > 1 ? static_cast<int>(std::random_device()() % static_cast<unsigned>(pairs)) : 0;
  std::vector<double> ours, theirs, ratios;
  for (int pair = 0; pair < pairs; ++pair) {
    const bool learner_first = pair % 2 == 1;
    double l = 0, b = 0;
    fresh.before_a_run(pair == seen);
    if (learner_first) l = sample(learner);
    b = sample(baseline);
    if (!learner_first) l = sample(learner);
    fresh.after_a_run(pair == seen);
    ours.push_back(l);
    theirs.push_back(b);
    ratios.push_back(b > 0 ? l / b : 0);
  }
  fresh.end();
  Measured m;
  m.learner_us = quantile(ours, 0.5);
  m.baseline_us = quantile(theirs, 0.5);
  m.ratio = quantile(ratios, 0.5);
  m.noise = m.ratio > 0 && pairs > 1 ? (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / m.ratio : 0;
  m.pairs = pairs;
  return m;
}

// Repeats that make the shorter of the two last long enough.
int repeats_for(Events& events, const Body& learner, const Body& baseline) {
  if (runner::simulated() != nullptr) return 1;
  const double shorter = std::min(sample_device(events, learner, 1), sample_device(events, baseline, 1));
  if (!(shorter > 0)) return 1;
  return std::clamp(static_cast<int>(std::ceil(shortest_sample_us / shorter)), 1, most_repeats);
}

void report(Call::State& state, std::string_view name, const Measured& m) {
  runner::drain_errors(state, std::string(name), false);
  state.measured[std::string(name)] = {{"learner_us", m.learner_us},
                                       {"baseline_us", m.baseline_us},
                                       {"ratio", m.ratio},
                                       {"noise", m.noise},
                                       {"pairs", m.pairs}};
}

void warm(const Body& learner, const Body& baseline, Freshness& fresh) {
  const int times = runner::simulated() != nullptr ? 1 : 3;
  for (int i = 0; i < times; ++i) {
    baseline();
    fresh.before_a_run();
    learner();
  }
  wait_for_device();
}

}  // namespace

Measured Call::measure(std::string_view name, const Body& learner, const Body& baseline) {
  Freshness fresh(state_);
  warm(learner, baseline, fresh);
  Events events;
  const int repeats = repeats_for(events, learner, baseline);
  const Measured m = measure_pairs([&](const Body& body) { return sample_device(events, body, repeats); },
                                   learner, baseline, fresh);
  report(state_, name, m);
  return m;
}

Measured Call::measure_wall(std::string_view name, const Body& learner, const Body& baseline) {
  Freshness fresh(state_);
  warm(learner, baseline, fresh);
  const Measured m = measure_pairs(sample_wall, learner, baseline, fresh);
  report(state_, name, m);
  return m;
}

void Call::fresh_each_time(std::vector<std::string> inputs) {
  state_.fresh = std::move(inputs);
}

void Call::measured(std::string_view name, const Measured& measured) {
  report(state_, name, measured);
}

double Call::wall_us(const Body& body) {
  wait_for_device();
  const auto begin = std::chrono::steady_clock::now();
  body();
  wait_for_device();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

double Call::device_us(const Body& body) {
  Events events;
  events.begin();
  body();
  events.end();
  return events.us();
}

void host_work(double microseconds) {
  if (runner::simulated() != nullptr) return runner::simulated()->host_work(microseconds);
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::duration<double, std::micro>(microseconds);
  while (std::chrono::steady_clock::now() < until) {
  }
}

}  // namespace workbook
