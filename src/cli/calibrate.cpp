// calibrate: where time bounds lie on the hardware that is here.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/grade.h"
#include "grader/answers.h"
#include "grader/process.h"

namespace workbook::cli {

namespace {

using grader::AnswerKind;
using grader::Exercise;

// What is known of one bound: ratios of learner and baseline.
struct Found {
  double good = 0;                       // the slowest of solution and right answers
  double slow_least = 0, slow_most = 0;  // of the answers that shall be too slow
  std::string about;                     // why nothing can be said
};

double ratio_of(const trace::Bound& bound, double at_most) {
  return bound.limit_us > 0 ? bound.now_us / bound.limit_us * at_most : 0;
}

void take(const grader::Verdict& verdict, bool slow, const Exercise& exercise, bool on_gpu,
          std::map<std::string, Found>& found) {
  for (const auto& c : verdict.cases) {
    for (const auto& bound : c.bounds) {
      const auto rule = exercise.bounds.find(bound.name);
      if (rule == exercise.bounds.end()) continue;
      const double ratio = ratio_of(bound, rule->second.in_use(on_gpu));
      Found& f = found[bound.name];
      if (!slow)
        f.good = std::max(f.good, ratio);
      else if (!bound.met) {
        f.slow_least = f.slow_least == 0 ? ratio : std::min(f.slow_least, ratio);
        f.slow_most = std::max(f.slow_most, ratio);
      }
    }
  }
}

std::string advice(const Found& f, double now) {
  if (f.good == 0) return "no right answer was measured";
  if (f.slow_least == 0)
    return fmt::format("no slow answer to compare with; keep at least {:.3g}", 1.25 * f.good);
  const double middle = std::sqrt(f.good * f.slow_least);
  if (f.slow_least / f.good < 1.5)
    return fmt::format("right and slow answers lie too close ({:.2f} times): this bound tells nothing here",
                       f.slow_least / f.good);
  const bool well = f.good <= 0.8 * now && f.slow_least >= 1.25 * now;
  return well ? "in order" : fmt::format("at_most = {:.3g}", middle);
}

}  // namespace

int calibrate(Context& context, const std::vector<std::string>& names) {
  std::vector<Exercise> chosen = context.chosen(names);
  std::erase_if(chosen, [](const Exercise& e) { return e.bounds.empty(); });
  const auto options = context.check_options("auto");
  const bool on_gpu = options.device == "gpu";
  nlohmann::json rows = nlohmann::json::array();
  if (!context.options().json)
    fmt::print(
        "Time bounds on {}. A bound shall be 1.25 times the slowest right answer at least,\n"
        "and the fastest slow answer 1.25 times the bound.\n\n"
        "exercise bound            now   right    slow  to most   advice\n",
        on_gpu ? "the GPU" : "the simulated device, " + options.profile);
  for (const auto& exercise : chosen) {
    std::map<std::string, Found> found;
    for (const auto& expected : grader::expectations_of(context.space(), exercise)) {
      const bool slow = expected.verdict == grader::VerdictKind::too_slow;
      const bool right = expected.kind == AnswerKind::solution || expected.kind == AnswerKind::right;
      if (!slow && !right) continue;
      const Progress progress(fmt::format("measuring {} {}", exercise.id, expected.name));
      take(grader::check(context.space(), exercise, expected.answer, options), slow, exercise, on_gpu, found);
      if (grader::interrupted()) return 130;
    }
    for (const auto& [name, rule] : exercise.bounds) {
      const Found f = found[name];
      const double now = rule.in_use(on_gpu);
      const std::string words = advice(f, now);
      rows.push_back({{"exercise", exercise.id},
                      {"bound", name},
                      {"now", now},
                      {"right", f.good},
                      {"slow_least", f.slow_least},
                      {"slow_most", f.slow_most},
                      {"advice", words}});
      if (!context.options().json)
        fmt::print("{:<8} {:<14} {:>6.3g} {:>7.3g} {:>7.3g} {:>8.3g}   {}\n", exercise.id, name, now, f.good,
                   f.slow_least, f.slow_most, words);
      std::fflush(stdout);
    }
  }
  if (context.options().json)
    fmt::print(
        "{}\n",
        nlohmann::json{{"schema", "workbook-calibration/1"}, {"device", options.device}, {"bounds", rows}}
            .dump(2));
  else
    fmt::print(
        "\nThe figures belong into chapter.toml: at_most{}, and naive for what earns no points for time\n"
        "(a good choice is the slowest slow answer).\n",
        on_gpu ? "_on_gpu" : "");
  return grader::exit_passed;
}

}  // namespace workbook::cli
