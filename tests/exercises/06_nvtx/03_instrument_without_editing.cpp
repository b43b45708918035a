// 6.3: stages wrapped so that each call has a range and is counted, and nothing else changes: results,
// exceptions, the batch's place in memory, and the calls to the device.
#include <workbook/check.h>

#include "ranges.h"

using namespace workbook;
using namespace nvtx_chapter;

EXERCISE("6.3", "Wrap the stages of a pipeline so that each call has a range and is counted.")

namespace {

constexpr int count = 20;
constexpr const char* stage_names[] = {"decode", "to device", "compute", "to host"};

struct Pass {
  std::vector<float> in;
  std::vector<int> bad;  // the batches that decode refuses
  int batches() const { return static_cast<int>(in.size()) / count; }
  bool is_bad(int k) const { return std::find(bad.begin(), bad.end(), k) != bad.end(); }
  int good() const { return batches() - static_cast<int>(bad.size()); }
};

Pass pass(int batches, std::vector<int> bad = {}) {
  Pass p{Inputs(static_cast<std::uint64_t>(batches))
             .floats("in", static_cast<std::size_t>(batches * count), 0.5f, 2.0f),
         std::move(bad)};
  for (const int k : p.bad) p.in[static_cast<std::size_t>(k * count)] = static_cast<float>(-100 - k);
  return p;
}

Result run(const Pass& p, const char* say, int layers = 1) {
  Run run("pipeline");
  run.say("{}", say).value("count", count).value("layers", layers).in("in", p.in);
  return run.out<float>("out", p.in.size()).go();
}

void expect_ranges(const Result& result, const Pass& p, int layers = 1) {
  for (int s = 0; s < 4; ++s) {
    const auto found = result.trace().ranges(stage_names[s]);
    const int calls = layers * (s == 0 ? p.batches() : p.good());
    std::vector<std::string> evidence;
    if (result.trace().ranges().empty()) {
      evidence.push_back("There are no ranges at all.");
    } else if (found.empty()) {
      evidence.push_back(
          fmt::format("The first range is called \"{}\".", result.trace().ranges().front().name));
    }
    result.expect_that(!found.empty() || calls == 0,
                       {"no_range", fmt::format("no range is called {}.", stage_names[s]), evidence,
                        "What is the name of the stage, and what is the name of its range?"});
    result.expect_that(static_cast<int>(found.size()) == calls,
                       {"ranges",
                        fmt::format("{} ranges are called {}; the stage was called {} times.", found.size(),
                                    stage_names[s], calls),
                        {},
                        "What happens when the list is made, and what happens when a stage is called?"});
  }
}

// The range of a stage lasts from before its work until after it.
void expect_around_the_work(const Result& result) {
  for (const Range& range : result.trace().ranges("decode")) {
    result.expect_that(
        range.us() > 80,
        {"empty",
         fmt::format("{} is {:.2f} us long; the stage takes 100 us.", words(range), range.us()),
         {},
         "Does the range begin before the stage is called, and end after it?"});
  }
  struct Content {
    const char* name;
    Step::Kind kind;
  };
  for (const Content& c : {Content{"to device", Step::Kind::copy}, Content{"compute", Step::Kind::kernel},
                           Content{"to host", Step::Kind::copy}}) {
    for (const Range& range : result.trace().ranges(c.name)) {
      const std::size_t there = count_of(result.trace().steps_in(range), c.kind);
      result.expect_that(there == 1,
                         {"empty",
                          fmt::format("{} holds {} of the stage's calls, expected 1.", words(range), there),
                          {},
                          "Does the range begin before the stage is called, and end after it?"});
    }
  }
}

void expect_same_steps(const Result& result, const Pass& p) {
  std::size_t copies = 0, kernels = 0, waits = 0, others = 0;
  for (const Step& step : result.trace().steps()) {
    copies += step.kind == Step::Kind::copy ? 1u : 0u;
    kernels += step.kind == Step::Kind::kernel ? 1u : 0u;
    waits += step.kind == Step::Kind::synchronise ? 1u : 0u;
    others += step.kind == Step::Kind::allocate || step.kind == Step::Kind::release ? 1u : 0u;
  }
  const auto good = static_cast<std::size_t>(p.good());
  result.expect_that(
      waits == 0 && others == 0,
      {"extra_wait",
       fmt::format("the host waits for the device {} times; without you it never does.", waits),
       {"The pipeline hands work to the device and goes on. A wait in it makes another pipeline."},
       "What does your range measure, the host or the device?"});
  result.expect_that(
      copies == 2 * good && kernels == good,
      {"calls",
       fmt::format("{} copies and {} kernels, expected {} and {}.", copies, kernels, 2 * good, good),
       {},
       "How many times does each stage run for one batch?"});
}

std::string counts(const Pass& p) {
  return fmt::format("{} {} {} {}", p.batches(), p.good(), p.good(), p.good());
}

void expect_counts(const Result& result, const std::string& expected) {
  result.expect_that(result.text("counts") == expected,
                     {"counts",
                      fmt::format("the counts are {}, expected {}.", result.text("counts"), expected),
                      {},
                      "Which call counts, and where is its number?"});
}

void expect_values(const Result& result, const Pass& p) {
  std::string thrown;
  for (const int k : p.bad) thrown += fmt::format("BadBatch {};", 100 + k);
  const std::string got = result.text("thrown");
  if (got != thrown) {
    const bool quiet = got.size() < thrown.size();
    result.fail({quiet ? "swallowed" : "another_exception",
                 quiet ? std::string("a stage threw, and the caller never heard of it.")
                       : fmt::format("the caller caught {}", got),
                 {fmt::format("the stage threw {}", thrown)},
                 "Whose exception is it?"});
  }
  const auto out = result.array<float>("out");
  for (int k = 0; k < p.batches(); ++k) {
    for (int i = 0; i < count && !p.is_bad(k); ++i) {
      const auto at = static_cast<std::size_t>(k * count + i);
      result.expect_that(
          out[at] == 6 * p.in[at],
          {"values",
           fmt::format("number {} of batch {} is {}, expected {}.", i, k, out[at], 6 * p.in[at]),
           {},
           "What does the stage get, and what becomes of what it gives back?"});
    }
  }
  result.expect_that(result.integer("moved") == 0,
                     {"copied",
                      "the numbers of a batch lie in another place than before.",
                      {"Somebody copied them between two stages."},
                      "How does a batch get from one hand to the next without a copy?"});
}

void expect_names(const Result& result) {
  const std::string expected = "decode, to device, compute, to host";
  result.expect_that(result.text("names") == expected,
                     {"stages",
                      fmt::format("the stages are \"{}\", expected \"{}\".", result.text("names"), expected),
                      {},
                      "Which stages does the caller get back, and in which order?"});
}

}  // namespace

CHECK_CASE(every_call_has_its_range) {
  const Pass p = pass(5);
  const Result result = run(p, "5 batches");
  result.expect_clean(
      "What does the function that you return hold, and does it still live when it is called?");
  expect_names(result);
  expect_values(result, p);
  expect_ranges(result, p);
  expect_balanced(result);
  expect_around_the_work(result);
  expect_counts(result, counts(p));
  expect_same_steps(result, p);
  passed("20 calls, 20 ranges, nothing else");
}

CHECK_CASE(a_stage_that_throws) {
  const Pass p = pass(6, {1, 4});
  const Result result = run(p, "two of six batches are bad");
  result.expect_clean();
  expect_values(result, p);
  expect_balanced(result);
  expect_ranges(result, p);
  expect_counts(result, counts(p));
  expect_same_steps(result, p);
  passed("what a stage throws goes through");
}

CHECK_CASE(wrapped_twice) {
  const Pass p = pass(2);
  const Result result = run(p, "stages that were wrapped already", 2);
  result.expect_clean();
  expect_names(result);
  expect_values(result, p);
  expect_ranges(result, p, 2);
  expect_balanced(result);
  expect_counts(result, counts(p));
  passed("wraps what is wrapped");
}

CHECK_CASE(four_threads) {
  Run run("threads");
  const Result result = run.say("one stage, four threads").value("calls", 25).go();
  result.expect_clean();
  result.expect_that(result.integer("of none") == 0 && result.integer("of one") == 1,
                     {"stages",
                      "the number of stages is not the one that was given.",
                      {},
                      "How many stages does the caller get back?"});
  result.expect_that(result.integer("worked") == 100,
                     {"calls",
                      fmt::format("the stage ran {} times, expected 100.", result.integer("worked")),
                      {},
                      "How many times does each stage run for one batch?"});
  expect_counts(result, "100");
  const auto ranges = result.trace().ranges("work").size();
  result.expect_that(ranges == 100, {"ranges",
                                     fmt::format("{} ranges for 100 calls.", ranges),
                                     {},
                                     "What happens when a stage is called?"});
  expect_balanced(result);
  passed("100 calls from four threads");
}
