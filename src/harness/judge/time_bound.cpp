// Time bounds: the learner's time against a baseline's, in one process, as a ratio.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/judge/bounds.h"
#include "harness/judge/cases.h"
#include "harness/judge/options.h"
#include "harness/judge/state.h"

namespace workbook {

namespace {

constexpr double too_noisy = 0.10;   // (q3 - q1) / median of the ratios
constexpr int measured_again = 4;    // at most
constexpr double implausible = 0.2;  // of the reference's ratio
constexpr double near_the_roof =
    0.25;  // of the baseline: from here on five times faster than the reference cannot be

struct Numbers {
  double learner_us, baseline_us, ratio, noise;
};

// Whether the times scatter so much that another measurement could decide otherwise. A ratio far from its
// bound is certain even when it scatters: 2 us against 7 ms, say.
bool uncertain(const Numbers& n, double at_most) {
  constexpr double reach = 3;  // of the noise, to either side
  return n.noise > too_noisy && n.ratio * (1 + reach * n.noise) > at_most &&
         n.ratio * std::max(0.0, 1 - reach * n.noise) < at_most;
}

Numbers numbers_of(const Result::State& state, std::string_view name) {
  const auto measured = state.answer.response.find("measured");
  if (measured == state.answer.response.end() || measured->find(std::string(name)) == measured->end())
    judge::grader_error(
        fmt::format("the check asks for the measurement '{}', and driver '{}' made none of that name", name,
                    state.request.driver));
  const auto& m = *measured->find(std::string(name));
  return {m.value("learner_us", 0.0), m.value("baseline_us", 0.0), m.value("ratio", 0.0),
          m.value("noise", 0.0)};
}

judge::BoundRule rule_of(std::string_view name) {
  try {
    return judge::read_bound(judge::options().chapter, judge::exercise_id(), std::string(name));
  } catch (const std::runtime_error& error) {
    judge::grader_error(error.what());
  }
}

trace::Bound bound_of(std::string_view name, const Numbers& n, const judge::BoundRule& rule, double at_most,
                      const Result::State& state) {
  trace::Bound bound;
  bound.name = name;
  bound.now_us = n.learner_us;
  bound.limit_us = at_most * n.baseline_us;
  bound.reference_us = rule.reference * n.baseline_us;
  bound.modelled = judge::options().simulated;
  bound.rule = rule.words(!bound.modelled);
  bound.device = bound.modelled ? judge::options().profile : state.answer.header.device_name;
  bound.noise = n.noise;
  bound.met = n.ratio <= at_most;
  return bound;
}

// No time at all, or much less than moving the data takes: the work was done elsewhere (in an earlier call),
// or not at all. Where the baseline is slow itself, a far better idea than ours is possible: then it is only
// said.
void expect_plausible(const Numbers& n, const judge::BoundRule& rule, const Result::State& state) {
  const bool nothing = !(n.learner_us > 0);
  if (!nothing && !(rule.reference > 0 && n.ratio < implausible * rule.reference)) return;
  const std::string how_long = nothing ? "no time at all"
                                       : fmt::format("{:.3g} us, {:.0f} times less than the reference",
                                                     n.learner_us, rule.reference / n.ratio);
  if (!nothing && rule.reference < near_the_roof) {
    judge::current_case().why = "it took " + how_long + ": does the code do all of the work?";
    return;
  }
  judge::end_case(
      {.outcome = trace::Outcome::wrong,
       .kind = "time",
       .code = "implausible",
       .headline = fmt::format("{}it took {}.", state.say.empty() ? "" : state.say + ": ", how_long),
       .evidence = {"The call is made several times, and each call has to do all of the work."},
       .places = {},
       .question = "What does the second call do, and where does its device work happen?"});
}

}  // namespace

void Result::expect_bound(std::string_view measurement) const {
  if (auto failure = judge::dirt(*state_, {})) judge::end_case(std::move(*failure));
  const judge::BoundRule rule = rule_of(measurement);
  const bool simulated = judge::options().simulated;
  const double at_most = rule.in_use(!simulated);

  Numbers numbers = numbers_of(*state_, measurement);
  for (int again = 0; !simulated && uncertain(numbers, at_most) && again < measured_again; ++again) {
    State fresh{state_->request, judge::run_once(state_->request), state_->say, nullptr};
    if (judge::dirt(fresh, {})) break;
    numbers = numbers_of(fresh, measurement);
  }
  if (!(numbers.baseline_us > 0) || !(numbers.learner_us >= 0))
    judge::grader_error(fmt::format("the measurement '{}' has no baseline time", measurement));

  auto& result = judge::current_case();
  result.bounds.push_back(bound_of(measurement, numbers, rule, at_most, *state_));
  const trace::Bound& bound = result.bounds.back();
  expect_plausible(numbers, rule, *state_);
  if (!simulated && uncertain(numbers, at_most))
    judge::end_case(
        trace::Outcome::inconclusive,
        fmt::format(
            "the times scatter by {:.0f} % over several measurements: the machine is busy with other work",
            100 * numbers.noise));
  if (bound.met) return;

  trace::Failure failure;
  failure.outcome = trace::Outcome::too_slow;
  failure.kind = "time";
  failure.code = fmt::format("bound.{}", measurement);
  failure.headline =
      fmt::format("{}{:.1f} us, and at most {:.1f} us are allowed ({}).",
                  state_->say.empty() ? "" : state_->say + ": ", bound.now_us, bound.limit_us, bound.rule);
  failure.evidence.push_back(
      fmt::format("{} times as long as the baseline's {:.1f} us; the bound is {} times.",
                  fmt::format("{:.2f}", numbers.ratio), numbers.baseline_us, fmt::format("{:.2f}", at_most)));
  for (std::string& line : judge::memory_words(trace())) failure.evidence.push_back(std::move(line));
  failure.question = rule.question;
  judge::end_case(std::move(failure));
}

}  // namespace workbook
