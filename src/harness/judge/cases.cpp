#include "harness/judge/cases.h"

#include <chrono>
#include <exception>
#include <memory>
#include <stdexcept>

#include "harness/judge/conditions.h"
#include "harness/judge/options.h"
#include "harness/judge/session.h"
#include "harness/judge/state.h"

namespace workbook::judge {

namespace {

struct Exercise {
  std::string id, asked, file;
};

struct State {
  Exercise exercise;
  std::unique_ptr<trace::RecordWriter> record;
  trace::CaseResult current;
  bool running = false;  // a case is
  bool stopped = false;  // a case failed: nothing after it is looked at
};

State& state() {
  static State instance;
  return instance;
}

// The same evidence as in the record, for --verbose.
std::string as_text(const trace::CaseResult& result) {
  std::string text = trace::name_of(result.outcome);
  if (!result.why.empty()) text += "\n" + result.why;
  if (!result.failure) return text;
  const trace::Failure& f = *result.failure;
  text += fmt::format("\n{}\n[{} / {}] seed {}", f.headline, f.kind, f.code, options().seed);
  for (const auto& line : f.evidence) text += "\n  " + line;
  for (const auto& p : f.places) text += fmt::format("\n  {}:{}:{} {}", p.file, p.line, p.column, p.note);
  if (!f.question.empty()) text += "\n  " + f.question;
  return text;
}

bool ends_the_exercise(trace::Outcome outcome) {
  // Points for what is right and too slow need to know that all of it is right.
  if (outcome == trace::Outcome::too_slow && conditions().go_on_when_slow) return false;
  return outcome != trace::Outcome::passed && outcome != trace::Outcome::not_run &&
         outcome != trace::Outcome::inconclusive;
}

void run_body(void (*body)()) {
  try {
    body();
  } catch (const detail::CaseEnded&) {
    // The case has its outcome.
  } catch (const std::exception& error) {
    state().current.outcome = trace::Outcome::grader_error;
    state().current.why = fmt::format("the check threw an exception: {}", error.what());
    state().current.failure.reset();
  }
}

// Writes the first line of the record when GoogleTest knows which cases it will run.
class Opening : public testing::EmptyTestEventListener {
  void OnTestProgramStart(const testing::UnitTest& program) override {
    trace::Record facts;
    facts.exercise = state().exercise.id;
    facts.device = options().simulated ? "simulated" : "gpu";
    facts.profile = options().simulated ? options().profile : "";
    facts.device_name = facts.profile;
    facts.seed = options().seed;
    for (int i = 0; i < program.total_test_suite_count(); ++i) {
      const auto* suite = program.GetTestSuite(i);
      for (int j = 0; j < suite->total_test_count(); ++j) {
        if (suite->GetTestInfo(j)->should_run()) facts.planned.push_back(suite->GetTestInfo(j)->name());
      }
    }
    if (state().record) state().record->start(facts);
  }
};

}  // namespace

trace::CaseResult& current_case() {
  return state().current;
}

void end_case(trace::Failure failure) {
  auto& result = current_case();
  result.outcome = failure.outcome;
  result.failure = std::move(failure);
  throw detail::CaseEnded();
}

void end_case(trace::Outcome outcome, std::string why) {
  auto& result = current_case();
  result.outcome = outcome;
  result.why = std::move(why);
  throw detail::CaseEnded();
}

void grader_error(std::string why) {
  end_case(trace::Outcome::grader_error, std::move(why));
}

const std::string& exercise_id() {
  return state().exercise.id;
}

std::string first_wrong(const std::string& say, const std::string& what) {
  return say.empty() ? "First wrong: " + what : fmt::format("First wrong, {}: {}", say, what);
}

int run_all() {
  if (!options().record.empty()) state().record = std::make_unique<trace::RecordWriter>(options().record);
  testing::UnitTest::GetInstance()->listeners().Append(new Opening);
  const int status = RUN_ALL_TESTS();
  close_session();
  if (state().record) state().record->end();
  return status;
}

}  // namespace workbook::judge

namespace workbook {

using namespace judge;

void passed_text(std::string text) {
  current_case().passed_text = std::move(text);
}

void look_again(const std::function<void()>& body) {
  constexpr int most_looks = 5;
  for (int left = options().simulated ? 1 : most_looks;; --left) {
    try {
      return body();
    } catch (const detail::CaseEnded&) {
      trace::CaseResult& found = current_case();
      const bool about_figures =
          found.outcome == trace::Outcome::wrong && found.failure && found.failure->kind == "contract";
      if (left == 1 || !about_figures) throw;
      found.outcome = trace::Outcome::passed;
      found.failure.reset();
    }
  }
}

void not_run(std::string why) {
  end_case(trace::Outcome::not_run, std::move(why));
}

bool on_simulated_device() {
  return options().simulated;
}

void fail(Finding finding) {
  end_case({.outcome = trace::Outcome::wrong,
            .kind = "contract",
            .code = std::move(finding.code),
            .headline = std::move(finding.headline),
            .evidence = std::move(finding.evidence),
            .places = {},
            .question = std::move(finding.question)});
}

void expect_that(bool holds, Finding finding) {
  if (!holds) fail(std::move(finding));
}

namespace detail {

void register_exercise(const char* id, const char* asked, const char* file) {
  state().exercise = {id, asked, file};
}

void run_case(const char* name, void (*body)()) {
  State& s = state();
  if (s.stopped) GTEST_SKIP() << "an earlier case failed";
  s.current = {};
  s.current.name = name;
  s.current.asked = s.exercise.asked;
  const auto begin = std::chrono::steady_clock::now();
  run_body(body);
  s.current.wall_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count();
  if (s.record) s.record->add(s.current);
  s.stopped = ends_the_exercise(s.current.outcome);
  if (s.stopped) FAIL() << as_text(s.current);
  if (s.current.outcome != trace::Outcome::passed) GTEST_SKIP() << as_text(s.current);
}

}  // namespace detail

}  // namespace workbook
