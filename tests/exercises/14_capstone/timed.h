// The learner's pipeline beside the baseline, in turns, on a calibrated device. Of both a short run and a
// long one: the difference is what batches cost, without beginning and end. The judge gets the times, the
// scores of each long run, and the trace, whose regions are called "baseline few", "learner many" and so on.
#pragma once

#include "calibrate.h"

namespace capstone {

// A run of no more than 40 batches left 5 % of doubt on an H200: each run pins its slots anew, and what that
// takes differs.
struct Lengths {
  int few, many, pairs;
};
inline Lengths lengths(bool simulated) {
  return simulated ? Lengths{5, 11, 1} : Lengths{8, 72, 5};
}

inline double quantile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  const double place = q * static_cast<double>(v.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, v.size() - 1);
  return v[below] + (place - static_cast<double>(below)) * (v[above] - v[below]);
}

class Timed {
 public:
  Timed(workbook::Call& call, World& world)
      : call_(call), world_(world), lengths_(lengths(call.simulated())) {}

  // Microseconds a batch.
  template <class Run>
  double batch_us(const std::string& who, const Run& run) {
    const double few = run_us(who + " few", run, lengths_.few, false);
    return (run_us(who + " many", run, lengths_.many, who == "learner") - few) /
           (lengths_.many - lengths_.few);
  }

  template <class Baseline, class Learner>
  workbook::Measured pairs(const Baseline& baseline, const Learner& learner) {
    run_us("baseline warm", baseline, 2, false);
    run_us("learner warm", learner, 2, false);
    std::vector<double> ours, theirs, ratios;
    for (int pair = 0; pair < lengths_.pairs; ++pair) {
      double l = 0, b = 0;
      if (pair % 2 == 1) l = batch_us("learner", learner);
      b = batch_us("baseline", baseline);
      if (pair % 2 == 0) l = batch_us("learner", learner);
      ours.push_back(l);
      theirs.push_back(b);
      ratios.push_back(b > 0 ? l / b : 0);
    }
    call_.result("kept", kept_);
    workbook::Measured m;
    m.learner_us = median(ours);
    m.baseline_us = median(theirs);
    m.ratio = median(ratios);
    m.noise =
        m.ratio > 0 && lengths_.pairs > 1 ? (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / m.ratio : 0;
    m.pairs = lengths_.pairs;
    call_.result("learner_batch_us", m.learner_us);
    call_.result("baseline_batch_us", m.baseline_us);
    return m;
  }

 private:
  template <class Run>
  double run_us(const std::string& label, const Run& run, int batches, bool keep) {
    Notes notes(batches);
    const int number = ++runs_;
    const Pipeline p = world_.begin(batches, number, notes);
    double us = 0;
    call_.learner(label, [&] {
      using Clock = std::chrono::steady_clock;
      const Clock::time_point begin = Clock::now();
      run(p);
      us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    });
    if (keep) this->keep(notes, number);
    return us;
  }

  void keep(Notes& notes, int number) {
    const std::lock_guard<std::mutex> lock(notes.mutex);
    const std::string which = "." + std::to_string(kept_++);
    call_.result("run" + which, number);
    call_.result_bytes("scores" + which, notes.scores.data(), notes.scores.size() * sizeof(Score));
    call_.result_bytes("checked" + which, notes.checked.data(), notes.checked.size() * sizeof(std::int32_t));
  }

  workbook::Call& call_;
  World& world_;
  const Lengths lengths_;
  int runs_ = 0, kept_ = 0;
};

// The whole driver of an exercise whose bound is called `bound`. `make` gives the learner's run for a world.
template <class Make>
void timed(workbook::Call& call, const char* bound, Ways baseline_ways, const Make& make) {
  const Lengths l = lengths(call.simulated());
  call.result("few", l.few);
  call.result("many", l.many);
  World world(first_sizes(call.simulated()));
  const Calibrated c = Calibration(call, world)();
  give(call, c);
  call.measured(bound, Timed(call, world).pairs(Reference(world, baseline_ways), make(world)));
}

}  // namespace capstone
