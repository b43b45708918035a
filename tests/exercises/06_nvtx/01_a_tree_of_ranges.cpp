// 6.1: a tree of NVTX ranges around the steps of a training loop, whole on every way out; and the loop does
// what it did without them.
#include <workbook/check.h>

#include <cmath>
#include <limits>

#include "ranges.h"

using namespace workbook;
using namespace nvtx_chapter;

EXERCISE("6.1", "Name the parts of a training loop by a tree of NVTX ranges.")

namespace {

constexpr int room = 64;

struct Loop {
  int epochs;
  std::vector<int> sizes;
  std::vector<float> in;
};

Loop loop(int epochs, std::vector<int> sizes) {
  Inputs inputs(sizes.size());
  return {epochs, sizes, inputs.floats("in", sizes.size() * room)};
}

Result run(const Loop& l, const char* say, const std::vector<float>* bad = nullptr) {
  Run run("train");
  run.say("{}", say).value("epochs", l.epochs).value("room", room).in("in", l.in).in("sizes", l.sizes);
  if (bad != nullptr) run.in("bad", *bad);
  return run.out<float>("out", l.in.size()).go();
}

// The names of the tree. Others may lie between them, and are passed over.
bool ours(const Range& r) {
  static const std::string_view names[] = {"epoch", "batch", "load", "h2d", "compute", "launch", "d2h"};
  return r.kind == Range::Kind::nested &&
         std::find(std::begin(names), std::end(names), r.name) != std::end(names);
}

void put(const std::vector<Range>& ranges, const Range& range, std::string& text) {
  const bool named = ours(range);
  if (named) {
    if (!text.empty() && text.back() != '(') text += ' ';
    text += range.name;
  }
  if (range.children.empty()) return;
  const std::size_t before = text.size();
  if (named) text += '(';
  for (const int child : range.children) put(ranges, ranges[static_cast<std::size_t>(child)], text);
  if (named && text.size() == before + 1) {
    text.pop_back();
  } else if (named) {
    text += ')';
  }
}

// "epoch(batch(load h2d compute(launch) d2h))", of the main thread, from the `from`-th range on.
std::string tree(const Result& result) {
  std::string text;
  const auto& ranges = result.trace().ranges();
  for (const Range& range : ranges) {
    if (range.parent < 0 && range.thread == 0) put(ranges, range, text);
  }
  return text;
}

std::string epoch_words(const std::vector<int>& sizes) {
  std::string text;
  for (const int size : sizes) {
    if (!text.empty()) text += ' ';
    text += size == 0 ? "batch(load)" : "batch(load h2d compute(launch) d2h)";
  }
  return "epoch(" + text + ")";
}

std::string expected_tree(const Loop& l) {
  std::string text;
  for (int e = 0; e < l.epochs; ++e) text += (e > 0 ? " " : "") + epoch_words(l.sizes);
  return text;
}

void expect_names(const Result& result) {
  for (const char* name : {"epoch", "batch", "load", "h2d", "compute", "launch", "d2h"}) {
    const auto found = result.trace().ranges(name);
    std::vector<std::string> evidence;
    if (result.trace().ranges().empty()) evidence.push_back("There are no ranges at all.");
    result.expect_that(!found.empty(), {"no_range", fmt::format("no range is called {}.", name), evidence,
                                        "Which part of the loop has no name yet?"});
    for (const Range& range : found) expect_nested_kind(result, range);
  }
}

// What must lie in each range: the calls made while it was open.
void expect_contents(const Result& result) {
  struct Content {
    const char* name;
    Step::Kind kind;
    const char* what;
  };
  const Content contents[] = {{"h2d", Step::Kind::copy, "the copy to the device"},
                              {"launch", Step::Kind::kernel, "the launch"},
                              {"compute", Step::Kind::kernel, "the launch"},
                              {"compute", Step::Kind::synchronise, "the wait for the kernel"},
                              {"d2h", Step::Kind::copy, "the copy to the host"}};
  for (const Content& c : contents) {
    for (const Range& range : result.trace().ranges(c.name)) {
      const std::size_t there = count_of(result.trace().steps_in(range), c.kind);
      result.expect_that(there == 1,
                         {there == 0 ? "empty" : "too_much",
                          there == 0 ? fmt::format("{} does not hold {}.", words(range), c.what)
                                     : fmt::format("{} holds {} such calls.", words(range), there),
                          {fmt::format("it is {:.2f} us long", range.us())},
                          "From which line to which line is this range there?"});
    }
  }
  for (const Range& launch : result.trace().ranges("launch")) {
    const std::size_t waits = count_of(result.trace().steps_in(launch), Step::Kind::synchronise);
    result.expect_that(waits == 0, {"launch_waits",
                                    fmt::format("{} holds the wait too.", words(launch)),
                                    {},
                                    "When does a launch return?"});
  }
  for (const Range& load : result.trace().ranges("load")) {
    result.expect_that(load.us() > 250,
                       {"empty",
                        fmt::format("{} is {:.2f} us long; loading takes 300 us.", words(load), load.us()),
                        {"A range that belongs to no variable ends in the line in which it begins."},
                        "How long does the object live that ends this range?"});
  }
}

// Names change nothing: the calls are the ones that the loop made without them.
void expect_same_steps(const Result& result, const Loop& l, const char* label) {
  std::string expected, got;
  for (int e = 0; e < l.epochs; ++e) {
    for (const int size : l.sizes) expected += size > 0 ? ">KS<" : "";
  }
  // In the order of the calls: the record has asynchronous ones where they ended.
  std::vector<Step> steps = result.trace().steps();
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.host_begin_us < b.host_begin_us; });
  for (const Step& step : steps) {
    if (step.label != label) continue;
    if (step.kind == Step::Kind::copy) got += step.direction == "host to device" ? '>' : '<';
    if (step.kind == Step::Kind::kernel) got += 'K';
    if (step.kind == Step::Kind::synchronise) got += 'S';
  }
  result.expect_that(got == expected, {"other_steps",
                                       "the loop does not make the same calls any more.",
                                       {fmt::format("now     {}", got), fmt::format("before  {}", expected),
                                        "> copy to the device, K launch, S wait, < copy to the host"},
                                       "Does a name have to wait for anything?"});
}

void expect_tree(const Result& result, const std::string& expected) {
  const std::string got = tree(result);
  result.expect_that(got == expected,
                     {"tree",
                      "the ranges do not form the tree that was asked for.",
                      {fmt::format("yours     {}", got), fmt::format("expected  {}", expected)},
                      "In which braces does each of your ranges live?"});
}

void expect_values(const Result& result, const Loop& l) {
  const auto out = result.array<float>("out");
  for (std::size_t k = 0; k < l.sizes.size(); ++k) {
    for (int i = 0; i < l.sizes[k]; ++i) {
      const std::size_t at = k * room + static_cast<std::size_t>(i);
      // 100,000 rounds of v * 0.9999 + 0.0001 pull every v to 1.
      const double expected = 1 + (static_cast<double>(l.in[at]) - 1) * std::pow(0.9999, 100'000);
      result.expect_that(
          std::abs(out[at] - expected) < 0.01,
          {"values",
           fmt::format("result {} of batch {} is {}, expected {:.4f}.", i, k, out[at], expected),
           {},
           "Which step of the loop got lost?"});
    }
  }
}

void expect_no_throw(const Result& result) {
  result.expect_that(result.text("thrown later").empty(),
                     {"thrown",
                      fmt::format("train threw: {}", result.text("thrown later")),
                      {},
                      "What is wrong with this batch?"});
}

}  // namespace

CHECK_CASE(the_tree) {
  const Loop l = loop(2, {64, 64, 17});
  const Result result = run(l, "2 epochs of 3 batches");
  result.expect_clean();
  expect_no_throw(result);
  expect_names(result);
  expect_balanced(result);
  expect_tree(result, expected_tree(l));
  expect_contents(result);
  expect_same_steps(result, l, "good");
  expect_values(result, l);
  // What a range around a launch is good for.
  double launch = 0, compute = 0;
  for (const Range& r : result.trace().ranges("launch")) launch += r.us();
  for (const Range& r : result.trace().ranges("compute")) compute += r.us();
  const auto batches = static_cast<double>(result.trace().ranges("compute").size());
  passed("launch {:.0f} us, compute {:.0f} us", launch / batches, compute / batches);
}

CHECK_CASE(an_empty_batch) {
  const Loop l = loop(2, {64, 0, 1});
  const Result result = run(l, "a batch without numbers");
  result.expect_clean();
  expect_no_throw(result);
  expect_balanced(result);
  expect_tree(result, expected_tree(l));
  expect_same_steps(result, l, "good");
  expect_values(result, l);
  passed("a batch that is skipped has its range");
}

CHECK_CASE(a_batch_that_throws) {
  const Loop l = loop(1, {64, 64});
  std::vector<float> bad = l.in;
  bad[room] = std::numeric_limits<float>::quiet_NaN();
  const Result result = run(l, "batch 1 throws, and then all is well", &bad);
  result.expect_clean();
  result.expect_that(result.text("thrown") == "a batch of nonsense",
                     {"swallowed",
                      result.text("thrown").empty() ? std::string("what the batch threw never arrived.")
                                                    : fmt::format("train threw: {}", result.text("thrown")),
                      {"The batch threw \"a batch of nonsense\". It is the caller's business."},
                      "Who has to hear of it?"});
  expect_no_throw(result);
  expect_balanced(result);
  // A range in launch() itself may begin after the batch has thrown.
  const std::string whole = "epoch(batch(load h2d compute(launch) d2h) batch(load h2d compute";
  const bool without = tree(result) == whole + ")) " + expected_tree(l);
  if (!without) expect_tree(result, whole + "(launch))) " + expected_tree(l));
  expect_values(result, l);
  passed("balanced when a batch throws");
}
