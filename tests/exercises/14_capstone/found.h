// The judge's side of chapter 14: what a pipeline has to do with every batch, and what a trace says about how
// busy the device was with it.
#pragma once

#include <workbook/check.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "pictures.h"

namespace capstone {

using workbook::Result;
using workbook::Run;
using workbook::Step;

// ---- every batch, in order, whole ----------------------------------------------------------------------

struct Load {
  int batches;
  int workers = 0;  // 0: the exercise has none
  Shape shape{3, 10, 7};
  double decode_us = 40;
  int rounds = 200, conversions = 2;
};

inline std::string words_of(const Load& l) {
  std::string text = fmt::format("{} batch{}", l.batches, l.batches == 1 ? "" : "es");
  if (l.workers > 0) text += fmt::format(", {} worker{}", l.workers, l.workers == 1 ? "" : "s");
  return text + fmt::format(", {} picture{} of {} x {} from {} x {}", l.shape.count,
                            l.shape.count == 1 ? "" : "s", l.shape.side, l.shape.side, l.shape.stored,
                            l.shape.stored);
}

inline Run run_of(const char* driver, const Load& l) {
  Run run(driver);
  run.say("{}", words_of(l)).value("batches", l.batches).value("workers", l.workers);
  run.value("count", l.shape.count).value("stored", l.shape.stored).value("side", l.shape.side);
  run.value("decode_us", l.decode_us).value("rounds", l.rounds).value("conversions", l.conversions);
  return run;
}

// What the scores of a run are.
inline std::vector<std::uint64_t> expected_scores(const Shape& shape, int rounds, std::uint64_t run,
                                                  int batches) {
  std::vector<std::uint64_t> scores;
  std::uint64_t state = 0;
  for (int n = 0; n < batches; ++n)
    scores.push_back(state = next_state(state, sum_of(shape, run, n), rounds));
  return scores;
}

// The first score that is not right, and what it is instead.
inline void expect_scores(const Result& result, const Shape& shape, int rounds, std::uint64_t run,
                          const std::vector<std::uint64_t>& scores) {
  const int batches = static_cast<int>(scores.size());
  std::uint64_t state = 0;
  for (int n = 0; n < batches; ++n) {
    const std::uint64_t expected = next_state(state, sum_of(shape, run, n), rounds);
    if (scores[n] == expected) {
      state = expected;
      continue;
    }
    std::string what = "it is no batch's";
    std::vector<std::string> evidence = {
        "A score depends on every byte of its batch, on the numbers that the model gets, and on the batch "
        "before."};
    std::string question = "Which bytes did the model get, and was everything there that it needed?";
    if (scores[n] == 0 || scores[n] == ~std::uint64_t{0}) {
      what = fmt::format("it is {}, which no model ever gave", scores[n] == 0 ? "0" : "all ones");
      evidence = {"The number was taken before there was one."};
      question = "What has to be over before the host may look at the score?";
    }
    for (int other = 0; other < batches; ++other) {
      if (other != n && next_state(state, sum_of(shape, run, other), rounds) == scores[n]) {
        what = fmt::format("the model got batch {} instead", other);
        evidence = {fmt::format("It came after batch {}, as it should.", n - 1)};
        question =
            "Who wrote to this batch's memory while somebody still read it, and what should have held "
            "it back?";
      }
      if (n > 0 && scores[n] == scores[n - 1]) {
        what = fmt::format("it is the score of batch {}", n - 1);
        question = "When is the new score there, and when was it read?";
      }
    }
    result.fail({"score", fmt::format("the score of batch {} is wrong: {}.", n, what), evidence, question});
  }
}

inline void expect_every_batch(const Result& result, const Load& l) {
  // What two of them do to one place shows in many ways; this is the first of them.
  if (result.has("shared"))
    result.expect_that(result.integer("shared") == 0,
                       {"shared_slot",
                        "two batches were decoded into one place at the same time.",
                        {},
                        "How does a worker get a slot that nobody else has?"});
  result.expect_clean();
  const auto decoded = result.array<std::int32_t>("decoded"), checked = result.array<std::int32_t>("checked"),
             modelled = result.array<std::int32_t>("modelled");
  result.expect_that(result.integer("outside") == 0, {"no_such_batch",
                                                      "decode was asked for a batch that there is not.",
                                                      {},
                                                      "Which number is the last one, and who notices?"});
  for (int n = 0; n < l.batches; ++n)
    result.expect_that(decoded[n] == 1, {"once",
                                         fmt::format("batch {} was decoded {} times.", n, decoded[n]),
                                         {"Every batch is to be decoded once, in every run."},
                                         "Who takes batch " + std::to_string(n) + "?"});
  for (int n = 0; n < l.batches; ++n) {
    const bool there = n < static_cast<int>(modelled.size());
    result.expect_that(
        there && modelled[n] == n,
        {"order",
         there ? fmt::format("the model was given batch {} when it was batch {}'s turn.", modelled[n], n)
               : fmt::format("the model was never given batch {}.", n),
         {"Each batch builds on what the one before left in the model."},
         "Which batch comes next, whichever is ready first?"});
  }
  result.expect_that(static_cast<int>(modelled.size()) == l.batches,
                     {"model_again",
                      fmt::format("the model ran {} times for {} batches.", modelled.size(), l.batches),
                      {},
                      "What ends the loop?"});
  for (int n = 0; n < l.batches; ++n) {
    const bool there = n < static_cast<int>(checked.size());
    result.expect_that(
        there && checked[n] == n,
        {"not_checked",
         there ? fmt::format("batch {} was checked when it was batch {}'s turn.", checked[n], n)
               : fmt::format("batch {} was never checked.", n),
         {"A batch counts when its score has come back to the host and check has got it."},
         "Which batches are still on their way when the loop ends?"});
  }
  result.expect_that(result.integer("active") == 0, {"still_running",
                                                     "run returned while a batch was still being decoded.",
                                                     {},
                                                     "Who waits for the threads?"});
  result.expect_that(result.integer("done") == 1,
                     {"returned_early",
                      "run returned while the device was still at work.",
                      {},
                      "What is the last thing that has to be done, and who waits?"});
  expect_scores(result, l.shape, l.rounds, 0, result.array<std::uint64_t>("scores"));
}

// Batches come from pinned memory.
inline void expect_pinned(const Result& result, const Load& load) {
  for (const Step& step : result.trace().copies("host to device"))
    result.expect_that(
        step.pinned || step.bytes < load.shape.bytes(),
        {"pageable",
         fmt::format("a batch was copied to the device from pageable memory{}.",
                     step.line > 0 ? fmt::format(" at line {}", step.line) : ""),
         {"The call takes as long as the copy, whatever its name says, and first waits for its turn "
          "in the stream: 8.3."},
         "In which memory does decode leave the batch?"});
}

// On a GPU decoding takes real cores.
inline void expect_cores(int workers) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  if (!workbook::on_simulated_device() && cores < workers + 1)
    workbook::not_run(fmt::format("{} threads that decode need {} cores, and this machine has {}", workers,
                                  workers + 1, cores));
}

// ---- how busy ------------------------------------------------------------------------------------------

inline bool ours(const Step& kernel) {
  return kernel.name.find("workbook::kernels::capstone::") != std::string::npos;
}
inline bool trains(const Step& kernel) {
  return ours(kernel) && kernel.name.find("train_kernel") != std::string::npos;
}

// The steady part of a run, from the end of the model's work on one batch to that on the last one.
struct Steady {
  int batches = 0;        // in it
  double batch_us = 0;    // window / batches
  double busy = 0;        // at least one kernel runs; share of the window
  double kernel_us = 0;   // that is for a batch
  double foreign_us = 0;  // kernels that are not the workbook's, added up
  int trained = 0;        // batches that the model's kernel worked on, in all of the run
  bool known = false;
};

inline std::vector<std::vector<Step>> regions(const Result& result, const std::string& label) {
  std::vector<std::vector<Step>> found;
  bool inside = false;
  for (const Step& step : result.trace().steps()) {
    if (step.label == label && !inside) found.emplace_back();
    inside = step.label == label;
    if (inside) found.back().push_back(step);
  }
  return found;
}

inline Steady steady_of(const std::vector<Step>& steps, int warm_up) {
  Steady s;
  std::vector<double> ends;
  std::vector<std::pair<double, double>> kernels;
  for (const Step& step : steps) {
    if (step.kind != Step::Kind::kernel || step.device_begin_us < 0) continue;
    kernels.emplace_back(step.device_begin_us, step.device_end_us);
    if (trains(step)) ends.push_back(step.device_end_us);
  }
  s.trained = static_cast<int>(ends.size());
  if (static_cast<int>(ends.size()) <= warm_up) return s;
  std::sort(ends.begin(), ends.end());
  std::sort(kernels.begin(), kernels.end());
  const double begin = ends[warm_up - 1], end = ends.back();
  double reached = begin, busy = 0;
  for (const auto& [from, to] : kernels) {
    busy += std::max(0.0, std::min(to, end) - std::max(from, reached));
    reached = std::max(reached, std::min(to, end));
  }
  s.batches = static_cast<int>(ends.size()) - warm_up;
  s.batch_us = (end - begin) / s.batches;
  s.busy = busy / (end - begin);
  s.kernel_us = busy / s.batches;
  for (const Step& step : steps) {
    if (step.kind != Step::Kind::kernel || step.device_begin_us < 0) continue;
    const double us =
        std::max(0.0, std::min(step.device_end_us, end) - std::max(step.device_begin_us, begin));
    if (!ours(step)) s.foreign_us += us / s.batches;
  }
  s.known = true;
  return s;
}

// The median of the runs, figure by figure.
inline Steady steady(const Result& result, const std::string& label, int warm_up) {
  std::vector<Steady> all;
  for (const auto& steps : regions(result, label)) all.push_back(steady_of(steps, warm_up));
  Steady s;
  if (all.empty()) return s;
  s = all.front();
  const auto middle = [&](double Steady::*figure) {
    std::vector<double> v;
    for (const Steady& one : all) v.push_back(one.*figure);
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  };
  s.batch_us = middle(&Steady::batch_us);
  s.busy = middle(&Steady::busy);
  s.kernel_us = middle(&Steady::kernel_us);
  s.foreign_us = middle(&Steady::foreign_us);
  s.known = std::all_of(all.begin(), all.end(), [](const Steady& one) { return one.known; });
  return s;
}

struct Both {
  Steady baseline, learner;
  double speed_up = 0;  // by the host's clock
};

// Before anything is said about speed: the timed runs did all of the work, and the baseline is what it should
// be.
inline Both expect_whole_work(const Result& result, bool half_busy = true) {
  result.expect_clean();
  const Shape shape{static_cast<int>(result.integer("count")), static_cast<int>(result.integer("stored")),
                    static_cast<int>(result.integer("side"))};
  const int rounds = static_cast<int>(result.integer("rounds")),
            warm_up = static_cast<int>(result.integer("few"));
  const int many = static_cast<int>(result.integer("many"));
  for (int k = 0; k < result.integer("kept"); ++k) {
    const std::string which = "." + std::to_string(k);
    const auto checked = result.array<std::int32_t>("checked" + which);
    bool all = static_cast<int>(checked.size()) == many;
    for (int n = 0; all && n < many; ++n) all = checked[n] == n;
    result.expect_that(
        all, {"not_checked",
              fmt::format("in the timed run {} of {} batches were checked in order.", checked.size(), many),
              {"A batch counts when its score has come back to the host and check has got it."},
              "Which batches are still on their way when the loop ends?"});
    expect_scores(result, shape, rounds, static_cast<std::uint64_t>(result.integer("run" + which)),
                  result.array<std::uint64_t>("scores" + which));
  }
  Both both{steady(result, "baseline many", warm_up), steady(result, "learner many", warm_up), 0};
  both.speed_up = result.number("baseline_batch_us") / result.number("learner_batch_us");
  for (const auto& steps : regions(result, "learner many")) {
    const int trained = steady_of(steps, warm_up).trained;
    result.expect_that(trained == many,
                       {"model",
                        fmt::format("the model's kernel ran {} times for {} batches.", trained, many),
                        {"The score was right, and the device did not do the work for it."},
                        "What does the device do for a batch, and what did somebody else do?"});
  }
  if (!both.baseline.known || !both.learner.known)
    workbook::not_run("the device's times are missing in the record");
  if (!half_busy) return both;
  if (both.baseline.busy < 0.45 || both.baseline.busy > 0.55)
    workbook::not_run(
        fmt::format("the baseline could not be set to half busy here: its kernels run {:.1f} % of the time, "
                    "{:.0f} of {:.0f} "
                    "us a batch. It was set to {:.0f} us of kernels, {:.0f} us of copying and {:.0f} us of "
                    "decoding. Is the "
                    "machine busy with other work?",
                    100 * both.baseline.busy, both.baseline.kernel_us, both.baseline.batch_us,
                    result.number("work_us"), result.number("copy_us"), result.number("decode_us")));
  return both;
}

inline std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

inline std::vector<std::string> evidence_of(const Both& b) {
  return {fmt::format("before: {:.0f} us a batch, kernels run {} of it", b.baseline.batch_us,
                      percent(b.baseline.busy)),
          fmt::format("now:    {:.0f} us a batch, kernels run {} of it", b.learner.batch_us,
                      percent(b.learner.busy))};
}

// Kernels that nobody needs make a device busy too.
inline void expect_no_extra_work(const Result& result, const Both& b, double allowed_us) {
  result.expect_that(
      b.learner.foreign_us <= allowed_us,
      {"extra_work",
       fmt::format("kernels of your own run for {:.0f} us a batch; {:.0f} us are more than this work needs.",
                   b.learner.foreign_us, allowed_us),
       {"Busy is no aim by itself: a device is well used when it is busy with what somebody wants."},
       "Which of these kernels does a score depend on?"});
}

inline void expect_busy(const Result& result, const Both& b, double at_least, const char* question) {
  result.expect_that(b.learner.busy >= at_least,
                     {"busy",
                      fmt::format("kernels run {} of the time; at least {} are asked.",
                                  percent(b.learner.busy), percent(at_least)),
                      evidence_of(b), question});
}

// throughput ratio = (U1 / U0) x (g0 / g1): three figures that were measured apart.
inline double identity(const Both& b) {
  return b.learner.busy / b.baseline.busy * (b.baseline.kernel_us / b.learner.kernel_us);
}

}  // namespace capstone
