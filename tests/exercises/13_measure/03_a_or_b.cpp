#include <workbook/check.h>

#include <cmath>

#include "machine.h"

using namespace workbook;
using namespace measure;

EXERCISE(
    "13.3",
    "Write compare: which of two is faster, by how much, and how sure that is, on a machine that drifts.")

namespace {

constexpr int seeds = 1000;
constexpr int misses_allowed =
    25;  // of them; 10 are to be expected of intervals that hold in 99 of 100 cases
constexpr int samples_allowed = 120;

Result on_machines(double truth, const char* words) {
  Run run("machines");
  run.say("{}, {} machines", words, seeds)
      .value("seeds", seeds)
      .value("truth", truth)
      .value("first", run_seed() * seeds);
  Result result = run.go();
  result.expect_clean();
  return result;
}

bool starts_with_all_of_one(const std::string& order) {
  const auto change = order.find(order.front() == 'A' ? 'B' : 'A');
  return change != std::string::npos && change >= 5 && order.find(order.front(), change) == std::string::npos;
}
bool one_always_first(const std::string& order) {
  if (order.size() < 8) return false;
  for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
    if (order[i] != order[0] || order[i + 1] == order[0]) return false;
  }
  return true;
}

// What the drift does to samples in this order.
std::vector<std::string> order_words(const Result& result) {
  const std::string order = result.text("order");
  std::vector<std::string> words = {
      fmt::format("your samples: {}{}", order.substr(0, 40), order.size() > 40 ? "..." : "")};
  if (order.empty()) return {"you took no sample"};
  if (starts_with_all_of_one(order))
    words.push_back(fmt::format(
        "between the first sample of A and the last of B such a machine has changed by up to {:.0f} %",
        100 * drift));
  else if (one_always_first(order))
    words.push_back(fmt::format(
        "{} always comes first; from one sample to the next such a machine changes by {:.1f} %, and "
        "always in the same direction",
        order[0], 100 * drift / drift_samples));
  return words;
}

void expect_sound(const Result& result) {
  const auto unsound = result.integer("unsound"), most = result.integer("most");
  result.expect_that(most <= samples_allowed,
                     {"too_many", fmt::format("{} samples; {} are allowed.", most, samples_allowed),
                      order_words(result), "When do you stop, and does what you have seen decide it?"});
  result.expect_that(unsound == 0,
                     {"no_interval",
                      fmt::format("Of {} intervals {} do not hold their own ratio.", seeds, unsound),
                      {"low <= ratio <= high, and all of them are numbers above 0"},
                      "What do low and high say about the ratio?"});
}

void expect_right_way_up(const Result& result) {
  result.expect_that(
      result.integer("upside_down") < seeds / 2,
      {"upside_down",
       fmt::format("The ratio is {:.4g}; that is time of A / time of B.", result.number("ratio")),
       {"asked is time of B / time of A: below 1 when B is faster"},
       "Which of the two is below the line?"});
}

void expect_covered(const Result& result, double truth) {
  const auto covered = result.integer("covered");
  auto evidence = order_words(result);
  evidence.push_back(fmt::format(
      "the true ratio is {:.4g}; your ratios have the median {:.4g}, your intervals are {:.2g} wide", truth,
      result.number("ratio"), result.number("width")));
  result.expect_that(
      covered >= seeds - misses_allowed,
      {"too_narrow",
       fmt::format("Of {} intervals {} hold the true ratio; asked were 99 in 100.", seeds, covered), evidence,
       "What makes your ratio wrong, and which part of it does your interval know of?"});
}

}  // namespace

CHECK_CASE(the_same_twice) {
  const Result result = on_machines(1.0, "A against A");
  expect_sound(result);
  const auto different = result.integer("different");
  auto evidence = order_words(result);
  evidence.push_back(fmt::format("your ratios have the median {:.4g}, your intervals are {:.2g} wide",
                                 result.number("ratio"), result.number("width")));
  result.expect_that(
      different <= misses_allowed,
      {"false_alarm",
       fmt::format("A against A: a difference was found in {} of {} comparisons.", different, seeds),
       evidence, "What is different between your samples of A and those of B, besides A and B?"});
  passed("A against A: no difference in {} of {}", seeds - different, seeds);
}

CHECK_CASE(three_percent) {
  const Result result = on_machines(1.03, "B takes 3 % more");
  expect_sound(result);
  const auto found = result.integer("different");
  auto evidence = order_words(result);
  evidence.push_back(
      fmt::format("your intervals are {:.2g} wide; one sample in {:.0f} is far too long or too short",
                  result.number("width"), 1 / (unlucky + too_short)));
  result.expect_that(
      found >= seeds * 90 / 100,
      {"not_found",
       fmt::format("B takes 3 % more than A, and that was found in {} of {} comparisons.", found, seeds),
       evidence, "What makes your interval so wide: too few pairs, or a few of them?"});
  expect_right_way_up(result);
  expect_covered(result, 1.03);
  passed("a difference of 3 %: found in {} of {}", found, seeds);
}

CHECK_CASE(the_ratio) {
  constexpr double truth = 1846.18 / 2728.06;  // two matrix multiplies, 2048 x 2048 (H200)
  const Result result = on_machines(truth, "two matrix multiplies");
  expect_sound(result);
  expect_right_way_up(result);
  const auto close = result.integer("close");
  auto evidence = order_words(result);
  evidence.push_back(fmt::format("the true ratio is {:.4g}, your ratios have the median {:.4g}", truth,
                                 result.number("ratio")));
  result.expect_that(
      close >= seeds * 95 / 100,
      {"ratio", fmt::format("The ratio is within 3 % of the truth in {} of {} comparisons.", close, seeds),
       evidence, "Which single sample can move your ratio by 3 %?"});
  expect_covered(result, truth);
  passed("the ratio within 3 % in {} of {}", close, seeds);
}

CHECK_CASE(on_this_device) {
  std::string text;
  for (const bool same : {true, false}) {
    look_again([&] {
      Run run("products");
      run.say("{}", same ? "a matrix multiply against itself" : "a matrix multiply against a better one");
      run.value("same", same ? 1 : 0).value("first", run_seed() * seeds + 1);
      const Result result = run.go();
      result.expect_clean();
      const double said = result.number("said"), ours = result.number("ours");
      const std::vector<std::string> evidence = {
          fmt::format("A takes {:.5g} us, B {:.5g} us; the workbook's ratio is {:.4g}", result.number("a"),
                      result.number("b"), ours),
          fmt::format("you say {:.4g}, between {:.4g} and {:.4g}", said, result.number("low"),
                      result.number("high"))};
      result.expect_that(std::abs(said / ours - 1) <= 0.03,
                         {"device_ratio", "Your ratio is more than 3 % from the workbook's.", evidence,
                          "Do the two halves of each pair lie next to each other?"});
      if (!same) text = fmt::format("naive to tiled: {:.3f} of the time", said);
    });
  }
  passed("{}", text);
}
