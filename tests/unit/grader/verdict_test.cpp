#include "grader/verdict.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace workbook::grader {
namespace {

trace::CaseResult result(const std::string& name, trace::Outcome outcome) {
  trace::CaseResult c;
  c.name = name;
  c.outcome = outcome;
  if (outcome == trace::Outcome::wrong)
    c.failure = trace::Failure{outcome, "values", "pattern.tail", name + " is wrong", {}, {}, ""};
  return c;
}

Verdict judged(std::vector<trace::CaseResult> cases, std::vector<std::string> planned, bool ended = true) {
  trace::Record record;
  record.cases = std::move(cases);
  record.planned = std::move(planned);
  record.ended = ended;
  Verdict verdict;
  judge_record(record, verdict);
  return verdict;
}

TEST(Verdict, AllPassedAndEndedIsPassed) {
  EXPECT_EQ(judged({result("a", trace::Outcome::passed)}, {"a"}).kind, VerdictKind::passed);
}

TEST(Verdict, ARecordThatDoesNotEndIsNeverPassed) {
  EXPECT_EQ(judged({result("a", trace::Outcome::passed)}, {"a"}, false).kind, VerdictKind::grader_error);
  EXPECT_EQ(judged({}, {}, true).kind, VerdictKind::grader_error);
}

TEST(Verdict, ACaseThatNeverRanIsNeverPassed) {
  const Verdict v = judged({result("a", trace::Outcome::passed)}, {"a", "b"});
  EXPECT_EQ(v.kind, VerdictKind::grader_error);
  EXPECT_NE(v.why.find("'b'"), std::string::npos);
}

TEST(Verdict, TheFirstFailureOfTheLearnersCounts) {
  const Verdict v = judged({result("a", trace::Outcome::not_run), result("b", trace::Outcome::wrong),
                            result("c", trace::Outcome::too_slow)},
                           {"a", "b", "c"}, false);
  EXPECT_EQ(v.kind, VerdictKind::wrong);
  EXPECT_EQ(v.failed_case, "b");
  EXPECT_EQ(v.failure->code, "pattern.tail");
}

TEST(Verdict, NotRunAndInconclusiveAreNeverPassed) {
  EXPECT_EQ(
      judged({result("a", trace::Outcome::passed), result("b", trace::Outcome::not_run)}, {"a", "b"}).kind,
      VerdictKind::not_run);
  EXPECT_EQ(
      judged({result("a", trace::Outcome::inconclusive), result("b", trace::Outcome::not_run)}, {"a", "b"})
          .kind,
      VerdictKind::inconclusive);
}

TEST(Verdict, NamesAndExitCodes) {
  for (int i = 0; i <= static_cast<int>(VerdictKind::grader_error); ++i) {
    const auto kind = static_cast<VerdictKind>(i);
    EXPECT_EQ(verdict_from_name(name_of(kind)), kind);
  }
  EXPECT_EQ(exit_code_of(VerdictKind::passed), 0);
  EXPECT_EQ(exit_code_of(VerdictKind::too_slow), 1);
  EXPECT_EQ(exit_code_of(VerdictKind::grader_error), 3);
  EXPECT_EQ(exit_code_of(VerdictKind::inconclusive), 4);
  EXPECT_EQ(verdict_from_name("fine"), std::nullopt);
}

TEST(Verdict, JsonHasTheFailure) {
  const auto json = to_json(judged({result("a", trace::Outcome::wrong)}, {"a"}));
  EXPECT_EQ(json.at("schema"), "workbook-check/1");
  EXPECT_EQ(json.at("verdict"), "wrong");
  EXPECT_EQ(json.at("failure").at("code"), "pattern.tail");
  EXPECT_EQ(json.at("cases").at(0).at("name"), "a");
}

}  // namespace
}  // namespace workbook::grader
