#include "classroom/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace workbook::classroom {

namespace {

constexpr double usual_naive = 4;  // times the bound

struct Attention {
  const char* code;
  const char* words;
};
constexpr Attention attentions[] = {
    {"answer.forged", "answered the judge in the workbook's place"},
    {"trace.forged", "forged the record of what it did"},
    {"trace.cut", "cut off the record of what it did"},
    {"trace.flood", "flooded the record of what it did"},
    {"system_call", "made a system call that no exercise needs"},
    {"system_call.refused", "calls the system in assembler"},
    {"name.refused", "uses functions that reach out of the exercise"},
    {"name.taken", "takes the name of a library's function"},
    {"constructor.refused", "wants to run before everything else"},
    {"code.refused", "has data that is run as code"},
    {"include.refused", "includes files that are not an exercise's"},
    {"implausible", "is faster than the hardware can be"},
    {"memory", "took too much memory"},
    {"file.refused", "handed in something that is no plain file"},
};

// Every planned case but those that are too slow passed.
bool all_else_right(const grader::Verdict& v) {
  return !v.cases.empty() && std::all_of(v.cases.begin(), v.cases.end(), [](const trace::CaseResult& c) {
    return c.outcome == trace::Outcome::passed || c.outcome == trace::Outcome::too_slow;
  });
}

double naive_in_bounds(const grader::BoundRule& rule, bool modelled) {
  const double at_most = rule.in_use(!modelled);
  return rule.naive > at_most ? rule.naive / at_most : usual_naive;
}

}  // namespace

double credit_for_time(double times_the_bound, double naive) {
  if (!(times_the_bound > 1)) return 1;
  return std::clamp(1 - std::log(times_the_bound) / std::log(naive), 0.0, 1.0);
}

void give_points(const grader::Exercise& exercise, ExerciseGrade& grade) {
  grade.max_points = exercise.points;
  grade.points = 0;
  if (grade.status == "passed") grade.points = grade.max_points;
  if (grade.status != "too slow" || !grade.all_else_right) return;
  constexpr double hardly_tried = 25;  // times what a first attempt takes
  double credit = 1;
  for (const auto& bound : grade.bounds) {
    if (bound.met || !(bound.limit_us > 0)) continue;
    const auto rule = exercise.bounds.find(bound.name);
    const double naive =
        rule == exercise.bounds.end() ? usual_naive : naive_in_bounds(rule->second, bound.modelled);
    const double times = bound.now_us / bound.limit_us;
    credit = std::min(credit, credit_for_time(times, naive));
    if (times > hardly_tried * naive && grade.attention.empty())
      grade.attention = fmt::format(
          "is right, and takes {:.0f} times as long as a first attempt: does the "
          "device do the work?",
          times / naive);
  }
  const double share = exercise.right_share + (1 - exercise.right_share) * credit;
  grade.points = std::round(share * grade.max_points * 10) / 10;
}

std::string attention_of(const std::string& code) {
  for (const auto& a : attentions) {
    if (code == a.code) return a.words;
  }
  return {};
}

ExerciseGrade grade_of(const grader::Exercise& exercise, const grader::Verdict& v) {
  ExerciseGrade grade;
  grade.exercise = exercise.id;
  grade.title = exercise.title;
  grade.chapter = exercise.chapter_folder;
  grade.status = grader::name_of(v.kind);
  using Kind = grader::VerdictKind;
  grade.graded = v.kind != Kind::inconclusive && v.kind != Kind::not_run && v.kind != Kind::grader_error;
  grade.why = v.why;
  grade.compiler = v.compiler_text;
  grade.device_name = v.device_name;
  grade.seconds = v.compile_seconds + v.link_seconds + v.run_seconds;
  if (v.failure) {
    grade.code = v.failure->code;
    grade.headline = v.failure->headline;
    grade.question = v.failure->question;
    grade.evidence = v.failure->evidence;
    grade.places = v.failure->places;
  }
  for (const auto& c : v.cases) {
    if (c.name == v.failed_case) grade.output = c.learner_output;
    grade.bounds.insert(grade.bounds.end(), c.bounds.begin(), c.bounds.end());
  }
  grade.all_else_right = v.kind == Kind::too_slow && all_else_right(v);
  grade.attention = attention_of(grade.code);
  if (grade.code == "name.taken" && grade.headline.find("defines main") != std::string::npos)
    grade.attention.clear();
  return grade;
}

}  // namespace workbook::classroom
