#include "grader/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/text_layout.h"

namespace workbook::grader {

namespace {

struct Row {
  VerdictKind kind;
  const char* name;
  int exit_code;
};
constexpr Row rows[] = {
    {VerdictKind::passed, "passed", exit_passed},
    {VerdictKind::wrong, "wrong", exit_not_passed},
    {VerdictKind::too_slow, "too slow", exit_not_passed},
    {VerdictKind::did_not_compile, "did not compile", exit_not_passed},
    {VerdictKind::crashed, "crashed", exit_not_passed},
    {VerdictKind::timed_out, "timed out", exit_not_passed},
    {VerdictKind::not_started, "not started", exit_not_passed},
    {VerdictKind::inconclusive, "inconclusive", exit_inconclusive},
    {VerdictKind::not_run, "not run", exit_inconclusive},
    {VerdictKind::grader_error, "grader error", exit_machine},
};
const Row& row_of(VerdictKind kind) {
  return rows[static_cast<std::size_t>(kind)];
}

VerdictKind kind_of(trace::Outcome outcome) {
  switch (outcome) {
    case trace::Outcome::passed:
      return VerdictKind::passed;
    case trace::Outcome::wrong:
      return VerdictKind::wrong;
    case trace::Outcome::too_slow:
      return VerdictKind::too_slow;
    case trace::Outcome::crashed:
      return VerdictKind::crashed;
    case trace::Outcome::timed_out:
      return VerdictKind::timed_out;
    case trace::Outcome::inconclusive:
      return VerdictKind::inconclusive;
    case trace::Outcome::not_run:
      return VerdictKind::not_run;
    case trace::Outcome::grader_error:
      return VerdictKind::grader_error;
  }
  return VerdictKind::grader_error;
}

bool is_learners(trace::Outcome o) {
  return o == trace::Outcome::wrong || o == trace::Outcome::too_slow || o == trace::Outcome::crashed ||
         o == trace::Outcome::timed_out;
}

nlohmann::json bound_json(const trace::Bound& b) {
  return {{"name", b.name},  {"now_us", b.now_us}, {"limit_us", b.limit_us}, {"reference_us", b.reference_us},
          {"rule", b.rule},  {"met", b.met},       {"modelled", b.modelled}, {"device", b.device},
          {"noise", b.noise}};
}

nlohmann::json failure_json(const trace::Failure& f) {
  nlohmann::json places = nlohmann::json::array();
  for (const auto& p : f.places)
    places.push_back({{"file", p.file}, {"line", p.line}, {"column", p.column}, {"note", p.note}});
  return {{"kind", f.kind},         {"code", f.code},   {"headline", f.headline},
          {"evidence", f.evidence}, {"places", places}, {"question", f.question}};
}

}  // namespace

const char* name_of(VerdictKind kind) {
  return row_of(kind).name;
}
int exit_code_of(VerdictKind kind) {
  return row_of(kind).exit_code;
}

std::optional<VerdictKind> verdict_from_name(std::string_view name) {
  for (const auto& row : rows) {
    if (name == row.name) return row.kind;
  }
  return std::nullopt;
}

void judge_record(const trace::Record& record, Verdict& verdict) {
  verdict.cases = record.cases;
  verdict.device_name = record.device_name;
  if (!record.device.empty()) verdict.device = record.device;
  if (!record.profile.empty()) verdict.profile = record.profile;
  verdict.seed = record.seed;
  auto settle = [&](const trace::CaseResult& c) {
    verdict.kind = kind_of(c.outcome);
    verdict.failure = c.failure;
    verdict.failed_case = c.name;
    verdict.why = c.why;
  };
  // The learner's first failure; then our own faults, then what could not be decided, then what could not
  // run.
  // What is wrong goes before what is slow, wherever it stands.
  for (const bool slow : {false, true}) {
    for (const auto& c : record.cases) {
      if (is_learners(c.outcome) && (c.outcome == trace::Outcome::too_slow) == slow) return settle(c);
    }
  }
  for (const auto wanted :
       {trace::Outcome::grader_error, trace::Outcome::inconclusive, trace::Outcome::not_run}) {
    for (const auto& c : record.cases) {
      if (c.outcome == wanted) return settle(c);
    }
  }
  verdict.kind = VerdictKind::grader_error;
  if (!record.ended) {
    const std::string next =
        record.cases.size() < record.planned.size() ? record.planned[record.cases.size()] : "the end";
    verdict.why = fmt::format("the judge stopped before {}", next);
    return;
  }
  for (const auto& name : record.planned) {
    const bool found =
        std::any_of(record.cases.begin(), record.cases.end(), [&](const auto& c) { return c.name == name; });
    if (!found) {
      verdict.why = fmt::format("the case '{}' was planned and never ran", name);
      return;
    }
  }
  if (record.cases.empty()) {
    verdict.why = "the check has no case";
    return;
  }
  verdict.kind = VerdictKind::passed;
}

void make_printable(Verdict& verdict) {
  const auto clean = [](std::string& text) { text = printable(text); };
  const auto clean_failure = [&](std::optional<trace::Failure>& failure) {
    if (!failure) return;
    clean(failure->headline);
    clean(failure->question);
    for (auto& line : failure->evidence) clean(line);
    for (auto& place : failure->places) {
      clean(place.file);
      clean(place.note);
    }
  };
  clean_failure(verdict.failure);
  for (auto& one : verdict.cases) {
    clean_failure(one.failure);
    clean(one.learner_output);
    clean(one.passed_text);
    clean(one.why);
  }
  for (std::string* text :
       {&verdict.compiler_text, &verdict.why, &verdict.judge_output, &verdict.device_name})
    clean(*text);
}

nlohmann::json to_json(const Verdict& v) {
  nlohmann::json out = {{"schema", "workbook-check/1"}, {"exercise", v.exercise}, {"title", v.title},
                        {"verdict", name_of(v.kind)},   {"file", v.file},         {"device", v.device},
                        {"device_name", v.device_name}, {"profile", v.profile},   {"seed", v.seed},
                        {"unchanged", v.unchanged}};
  out["cases"] = nlohmann::json::array();
  for (const auto& c : v.cases) {
    nlohmann::json bounds = nlohmann::json::array();
    for (const auto& b : c.bounds) bounds.push_back(bound_json(b));
    nlohmann::json one = {{"name", c.name},
                          {"verdict", name_of(kind_of(c.outcome))},
                          {"bounds", bounds},
                          {"wall_ms", c.wall_ms}};
    if (!c.passed_text.empty()) one["text"] = c.passed_text;
    if (!c.why.empty()) one["why"] = c.why;
    if (!c.learner_output.empty()) one["output"] = c.learner_output;
    out["cases"].push_back(one);
  }
  if (v.failure) out["failure"] = failure_json(*v.failure);
  if (!v.failed_case.empty()) out["failed_case"] = v.failed_case;
  if (!v.compiler_text.empty()) out["compiler"] = v.compiler_text;
  if (!v.why.empty()) out["why"] = v.why;
  out["seconds"] = {{"compile", v.compile_seconds}, {"link", v.link_seconds}, {"run", v.run_seconds}};
  return out;
}

}  // namespace workbook::grader
