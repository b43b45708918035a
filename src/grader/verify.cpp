#include "grader/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/page.h"
#include "grader/parallel.h"

namespace workbook::grader {

namespace {

constexpr double margin = 0.8;  // the reference takes at most this part of a bound

bool is_learners_failure(VerdictKind kind) {
  return kind == VerdictKind::wrong || kind == VerdictKind::too_slow || kind == VerdictKind::crashed ||
         kind == VerdictKind::timed_out;
}

// A page's words with all white space alike, so that a line break does not hide a message.
std::string one_line(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\t')
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

std::string first_words(const Verdict& v) {
  std::string text = v.failure ? v.failure->headline : v.why;
  const std::size_t end = text.find('\n');
  return text.substr(0, end);
}

void compare_solution(const Exercise& exercise, Verified& v) {
  if (v.verdict.kind != VerdictKind::passed) {
    v.remark = fmt::format("must pass, but: {}. {}", name_of(v.verdict.kind), first_words(v.verdict));
    return;
  }
  v.standing = Standing::ok;
  double closest = 0;
  for (const auto& c : v.verdict.cases) {
    for (const auto& b : c.bounds) {
      const double part = b.limit_us > 0 ? b.now_us / b.limit_us : 0;
      closest = std::max(closest, part);
      const auto rule = exercise.bounds.find(b.name);
      const bool excepted = rule != exercise.bounds.end() && !rule->second.margin_exception.empty();
      if (part <= margin || excepted || v.expected.kind == AnswerKind::right) continue;
      v.standing = Standing::bad;
      v.remark = fmt::format("takes {:.2f} of bound '{}'; at most {:.2f} may be", part, b.name, margin);
      return;
    }
  }
  if (closest > 0) v.remark = fmt::format("{:.2f} of its bound", closest);
}

// As chapter.toml names an answer.
std::string manifest_name(const Expected& e) {
  return e.kind == AnswerKind::starter ? "starter" : fmt::format("{}/{}", name_of(e.kind), e.name);
}

// chapter.toml's `naive` is what the answer that it names takes on the simulated device, give or take.
void compare_naive(const Exercise& exercise, Verified& v) {
  constexpr double as_good_as = 1.3;
  const std::string own = manifest_name(v.expected);
  for (const auto& [name, rule] : exercise.bounds) {
    if (rule.naive_from != own) continue;
    double ratio = 0;
    for (const auto& c : v.verdict.cases) {
      for (const auto& b : c.bounds) {
        if (b.name == name && b.limit_us > 0) ratio = std::max(ratio, b.now_us / b.limit_us * rule.at_most);
      }
    }
    if (ratio > 0 && std::max(ratio / rule.naive, rule.naive / ratio) <= as_good_as) continue;
    v.standing = Standing::bad;
    v.remark =
        ratio > 0
            ? fmt::format(
                  "chapter.toml says that it takes {:.3g} times the baseline of bound '{}' "
                  "(naive); it takes {:.3g}",
                  rule.naive, name, ratio)
            : fmt::format("chapter.toml takes 'naive' of bound '{}' from it, and it is not measured", name);
  }
}

void compare_wrong(const Workspace& space, const CheckOptions& options, Verified& v) {
  const auto& e = v.expected;
  const bool gpu = options.device == "gpu";
  if (gpu) {
    // A GPU sees less and words it differently; what must hold there is that the answer does not pass.
    if (is_learners_failure(v.verdict.kind) || v.verdict.kind == VerdictKind::did_not_compile)
      v.standing = Standing::ok;
    else if (e.seen_by == "simulated" && v.verdict.kind == VerdictKind::passed) {
      v.standing = Standing::not_run;
      v.remark = "only the simulated device can see it";
    } else
      v.remark = fmt::format("must not pass: {}. {}", name_of(v.verdict.kind), first_words(v.verdict));
    return;
  }
  if (e.seen_by == "gpu" && v.verdict.kind == VerdictKind::passed) {
    v.standing = Standing::not_run;
    v.remark = "only a GPU's clocks can show it";
    return;
  }
  const std::string code = v.verdict.failure ? v.verdict.failure->code : "";
  if (v.verdict.kind != *e.verdict) {
    v.remark = fmt::format("must be '{}', is '{}' ({}). {}", name_of(*e.verdict), name_of(v.verdict.kind),
                           code, first_words(v.verdict));
    return;
  }
  if (!e.code.empty() && e.code != code) {
    v.remark = fmt::format("must have code '{}', has '{}'. {}", e.code, code, first_words(v.verdict));
    return;
  }
  PageOptions page;
  page.root = space.root;
  const std::string text = one_line(render(v.verdict, page));
  for (const auto& message : e.messages) {
    if (text.find(one_line(message)) != std::string::npos) continue;
    v.remark = fmt::format("the page lacks the words '{}'. It says: {}", message, first_words(v.verdict));
    return;
  }
  v.standing = Standing::ok;
}

std::string mark(Standing standing) {
  return standing == Standing::ok ? "ok" : standing == Standing::bad ? "NOT OK" : "not run";
}

std::string line_of(const Verified& v, bool color) {
  const std::string left =
      fmt::format("     {:<9} {:<34} {:<16} ", name_of(v.expected.kind),
                  v.expected.name.empty() ? "" : v.expected.name, name_of(v.verdict.kind));
  const Color c = v.standing == Standing::ok    ? Color::green
                  : v.standing == Standing::bad ? Color::red
                                                : Color::yellow;
  std::string out = left + colored(mark(v.standing), c, color);
  if (v.standing == Standing::ok && !v.remark.empty()) out += "  " + v.remark;
  out += "\n";
  if (v.standing != Standing::ok) out += wrapped(v.remark, 100, "               ", "               ") + "\n";
  return out;
}

}  // namespace

bool VerifyCounts::all_ok() const {
  return starters_ok + solutions_ok + wrong_answers_ok + right_answers_ok + not_run ==
         2 * exercises + wrong_answers + right_answers;
}

void compare_with_expectation(const Workspace& space, const Exercise& exercise, const CheckOptions& options,
                              Verified& v) {
  v.standing = Standing::bad;
  if (!v.expected.problem.empty()) {
    v.remark = v.expected.problem;
    return;
  }
  if (v.verdict.kind == VerdictKind::not_run) {
    v.standing = Standing::not_run;
    v.remark = v.verdict.why;
    return;
  }
  switch (v.expected.kind) {
    case AnswerKind::starter:
      if (is_learners_failure(v.verdict.kind))
        v.standing = Standing::ok;
      else
        v.remark = fmt::format("must fail its first check, but: {}. {}", name_of(v.verdict.kind),
                               first_words(v.verdict));
      break;
    case AnswerKind::solution:
    case AnswerKind::right:
      compare_solution(exercise, v);
      break;
    case AnswerKind::wrong:
      compare_wrong(space, options, v);
      break;
  }
  if (v.standing == Standing::ok && options.device == "simulated") compare_naive(exercise, v);
}

bool verify(const Workspace& space, const std::vector<Exercise>& exercises, const CheckOptions& options,
            unsigned workers, const std::function<void(const ExerciseVerified&)>& tell,
            std::vector<ExerciseVerified>& all) {
  std::vector<std::pair<std::size_t, std::size_t>> jobs;  // exercise, answer
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    ExerciseVerified one{exercises[i], {}};
    for (auto& expected : expectations_of(space, exercises[i])) {
      jobs.emplace_back(i, one.answers.size());
      one.answers.push_back({expected, {}, Standing::bad, ""});
    }
    for (const auto& [name, rule] : one.exercise.bounds) {
      const bool there =
          std::any_of(one.answers.begin(), one.answers.end(), [&from = rule.naive_from](auto& v) {
            return from.empty() || from == "baseline" || manifest_name(v.expected) == from;
          });
      if (!there && !one.answers.empty())
        one.answers.front().expected.problem =
            fmt::format("chapter.toml: bound '{}' has naive_from = \"{}\", and there is no such answer", name,
                        rule.naive_from);
    }
    all.push_back(std::move(one));
  }
  auto job = [&](std::size_t n) {
    auto& one = all[jobs[n].first];
    auto& v = one.answers[jobs[n].second];
    v.verdict = check(space, one.exercise, v.expected.answer, options);
    compare_with_expectation(space, one.exercise, options, v);
  };
  auto done = [&](std::size_t n) {
    if (n + 1 == jobs.size() || jobs[n + 1].first != jobs[n].first) tell(all[jobs[n].first]);
  };
  return in_parallel(jobs.size(), workers, job, done);
}

VerifyCounts count(const std::vector<ExerciseVerified>& all) {
  VerifyCounts c;
  for (const auto& one : all) {
    ++c.exercises;
    for (const auto& v : one.answers) {
      const int ok = v.standing == Standing::ok ? 1 : 0;
      c.not_run += v.standing == Standing::not_run ? 1 : 0;
      switch (v.expected.kind) {
        case AnswerKind::starter:
          c.starters_ok += ok;
          break;
        case AnswerKind::solution:
          c.solutions_ok += ok;
          break;
        case AnswerKind::wrong:
          ++c.wrong_answers, c.wrong_answers_ok += ok;
          break;
        case AnswerKind::right:
          ++c.right_answers, c.right_answers_ok += ok;
          break;
      }
    }
  }
  return c;
}

std::string render(const ExerciseVerified& one, bool color, bool verbose, const fs::path& root) {
  std::string out = fmt::format("{:<4} {}\n", one.exercise.id, one.exercise.title);
  for (const auto& v : one.answers) {
    out += line_of(v, color);
    if (!verbose || v.standing == Standing::ok) continue;
    PageOptions page;
    page.root = root;
    page.verbose = true;
    for (const auto& line : split_lines(render(v.verdict, page))) out += "               | " + line + "\n";
  }
  return out;
}

std::string render(const VerifyCounts& c) {
  std::string out = fmt::format(
      "{} of {} starters fail as they should, {} of {} solutions pass,\n{} of {} wrong answers are "
      "told so in the right words, {} of {} right answers pass",
      c.starters_ok, c.exercises, c.solutions_ok, c.exercises, c.wrong_answers_ok, c.wrong_answers,
      c.right_answers_ok, c.right_answers);
  if (c.not_run != 0) out += fmt::format("; {} not run", c.not_run);
  return out + "\n";
}

nlohmann::json to_json(const std::vector<ExerciseVerified>& all, const CheckOptions& options) {
  const VerifyCounts c = count(all);
  nlohmann::json out = {{"schema", "workbook-verify/1"},
                        {"device", options.device},
                        {"profile", options.device == "simulated" ? options.profile : ""},
                        {"seed", options.seed},
                        {"exercises", c.exercises},
                        {"starters_ok", c.starters_ok},
                        {"solutions_ok", c.solutions_ok},
                        {"not_run", c.not_run},
                        {"wrong_answers", c.wrong_answers},
                        {"wrong_answers_ok", c.wrong_answers_ok},
                        {"right_answers", c.right_answers},
                        {"right_answers_ok", c.right_answers_ok}};
  out["details"] = nlohmann::json::array();
  for (const auto& one : all) {
    for (const auto& v : one.answers) {
      nlohmann::json row = {{"exercise", one.exercise.id},
                            {"answer", name_of(v.expected.kind)},
                            {"standing", mark(v.standing) == "NOT OK" ? "bad"
                                         : v.standing == Standing::ok ? "ok"
                                                                      : "not_run"},
                            {"verdict", name_of(v.verdict.kind)},
                            {"file", v.expected.answer.name}};
      if (v.verdict.failure) row["code"] = v.verdict.failure->code;
      if (v.verdict.failure) row["headline"] = v.verdict.failure->headline;
      if (!v.expected.about.empty()) row["about"] = v.expected.about;
      if (!v.remark.empty()) row["remark"] = v.remark;
      row["seconds"] = v.verdict.compile_seconds + v.verdict.link_seconds + v.verdict.run_seconds;
      out["details"].push_back(row);
    }
  }
  return out;
}

}  // namespace workbook::grader
