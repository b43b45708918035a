#include "grader/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/verify.h"

namespace workbook::grader {
namespace {

using testing::HasSubstr;

Expected read(const std::string& text, AnswerKind kind = AnswerKind::wrong) {
  Expected e;
  e.kind = kind;
  read_expectation(text, e);
  return e;
}

TEST(Answers, TheHeaderIsRead) {
  const Expected e = read(
      "// wrong: rounds down\n// verdict: too slow\n// code: bound.roof\n// message: the last 8\n// message: "
      "two\n"
      "// seen: simulated\n\n#include <x>\n// message: not this\n");
  EXPECT_EQ(e.about, "rounds down");
  EXPECT_EQ(e.verdict, VerdictKind::too_slow);
  EXPECT_EQ(e.code, "bound.roof");
  EXPECT_EQ(e.messages, (std::vector<std::string>{"the last 8", "two"}));
  EXPECT_EQ(e.seen_by, "simulated");
  EXPECT_EQ(e.problem, "");
}

TEST(Answers, AHeaderThatSaysTooLittleIsAProblem) {
  EXPECT_THAT(read("int x;\n").problem, HasSubstr("// wrong:"));
  EXPECT_THAT(read("// wrong: x\n").problem, HasSubstr("// verdict:"));
  EXPECT_THAT(read("// wrong: x\n// verdict: wrong\n").problem, HasSubstr("// message:"));
  EXPECT_THAT(read("// wrong: x\n// verdict: bad\n").problem, HasSubstr("'bad' is no verdict"));
  EXPECT_THAT(read("// wrong: x\n// verdict: wrong\n// message: y\n// seen: nowhere\n").problem,
              HasSubstr("'nowhere' is no device"));
  EXPECT_EQ(read("// right: x\n", AnswerKind::right).problem, "");
}

TEST(Answers, AHeaderMayBeWrittenWithHashes) {
  const Expected e = read("# wrong: no text\n# verdict: wrong\n# message: newer\n-arch=sm_90\n");
  EXPECT_EQ(e.about, "no text");
  EXPECT_EQ(e.problem, "");
  EXPECT_THAT(read("#include <x>\n# wrong: too late\n").problem, HasSubstr("// wrong:"));
}

// An exercise with a source, a header and a file of options, and its answers.
class AnswerFiles : public testing::Test {
 protected:
  AnswerFiles() {
    exercise_.chapter_folder = "04_x";
    exercise_.stem = "01_y";
    exercise_.files = {"01_y.cu", "01_y.h", "01_y.flags"};
    for (const auto& file : exercise_.files)
      write_file(folder_.path() / "solutions/04_x" / file, "// good\n");
    space_.root = folder_.path();
  }
  Expected answer(const std::vector<std::string>& files) {
    for (const auto& file : files)
      write_file(folder_.path() / "tests/exercises/04_x/01_y/wrong" / file,
                 (file.ends_with(".flags") ? "# wrong: " : "// wrong: ") + file +
                     "\n// verdict: wrong\n// message: m\n");
    return expectations_of(space_, exercise_).at(2);
  }
  TemporaryFolder folder_{"answers-test"};
  Workspace space_;
  Exercise exercise_;
};

TEST_F(AnswerFiles, AFileTakesThePlaceOfItsKind) {
  const Expected e = answer({"no_text.flags"});
  EXPECT_EQ(e.about, "no_text.flags");
  EXPECT_EQ(e.answer.files[2].filename(), "no_text.flags");
  EXPECT_EQ(e.answer.files[0].filename(), "01_y.cu");
}

TEST_F(AnswerFiles, AFolderBringsSomeAndTheSolutionTheRest) {
  const Expected e = answer({"both/01_y.cu", "both/01_y.h"});
  EXPECT_EQ(e.about, "both/01_y.cu");
  EXPECT_EQ(e.answer.files[1].parent_path().filename(), "both");
  EXPECT_EQ(e.answer.files[2].parent_path().filename(), "04_x");
  EXPECT_EQ(e.problem, "");
}

TEST_F(AnswerFiles, AHeaderAloneWouldNotBeFound) {
  EXPECT_THAT(answer({"alone/01_y.h"}).problem, HasSubstr("must bring 01_y.cu too"));
}

class Comparison : public testing::Test {
 protected:
  Verified verified(AnswerKind kind, VerdictKind verdict) {
    Verified v;
    v.expected.kind = kind;
    v.expected.verdict = VerdictKind::wrong;
    v.expected.code = "pattern.tail";
    v.expected.messages = {"the last 8 of 33 elements"};
    v.verdict.kind = verdict;
    v.verdict.failure = trace::Failure{};
    v.verdict.failure->code = "pattern.tail";
    v.verdict.failure->headline =
        "First wrong: it is a long sentence that is broken somewhere before its end, and the last 8 of 33 "
        "elements are poison.";
    return v;
  }
  Standing judge(Verified& v) {
    compare_with_expectation({}, exercise_, options_, v);
    return v.standing;
  }
  Exercise exercise_;
  CheckOptions options_;
};

TEST_F(Comparison, AStarterMustFailItsCheck) {
  for (auto kind :
       {VerdictKind::wrong, VerdictKind::too_slow, VerdictKind::crashed, VerdictKind::timed_out}) {
    auto v = verified(AnswerKind::starter, kind);
    EXPECT_EQ(judge(v), Standing::ok);
  }
  for (auto kind : {VerdictKind::passed, VerdictKind::did_not_compile, VerdictKind::grader_error,
                    VerdictKind::inconclusive}) {
    auto v = verified(AnswerKind::starter, kind);
    EXPECT_EQ(judge(v), Standing::bad);
  }
}

TEST_F(Comparison, AWrongAnswerNeedsVerdictCodeAndWords) {
  auto v = verified(AnswerKind::wrong, VerdictKind::wrong);
  EXPECT_EQ(judge(v), Standing::ok) << v.remark;
  v = verified(AnswerKind::wrong, VerdictKind::too_slow);
  EXPECT_EQ(judge(v), Standing::bad);
  v = verified(AnswerKind::wrong, VerdictKind::passed);
  EXPECT_EQ(judge(v), Standing::bad);
  v = verified(AnswerKind::wrong, VerdictKind::wrong);
  v.expected.code = "other";
  EXPECT_EQ(judge(v), Standing::bad);
  EXPECT_THAT(v.remark, HasSubstr("must have code 'other'"));
  v = verified(AnswerKind::wrong, VerdictKind::wrong);
  v.expected.messages.push_back("words that are not there");
  EXPECT_EQ(judge(v), Standing::bad);
}

TEST_F(Comparison, ASolutionNeedsMargin) {
  auto v = verified(AnswerKind::solution, VerdictKind::passed);
  v.verdict.cases.resize(1);
  v.verdict.cases[0].bounds = {{"roof", 79, 100, 0, "", true, "", 0, true}};
  EXPECT_EQ(judge(v), Standing::ok);
  v.verdict.cases[0].bounds[0].now_us = 81;
  EXPECT_EQ(judge(v), Standing::bad);
  exercise_.bounds["roof"].margin_exception = "there is no slower wrong answer";
  EXPECT_EQ(judge(v), Standing::ok);
  v = verified(AnswerKind::right, VerdictKind::wrong);
  EXPECT_EQ(judge(v), Standing::bad);
}

TEST_F(Comparison, NotRunIsNeitherOkNorBad) {
  auto v = verified(AnswerKind::solution, VerdictKind::not_run);
  EXPECT_EQ(judge(v), Standing::not_run);
}

TEST_F(Comparison, OnAGpuAWrongAnswerMustOnlyFail) {
  options_.device = "gpu";
  auto v = verified(AnswerKind::wrong, VerdictKind::crashed);
  EXPECT_EQ(judge(v), Standing::ok);
  v = verified(AnswerKind::wrong, VerdictKind::passed);
  EXPECT_EQ(judge(v), Standing::bad);
  v = verified(AnswerKind::wrong, VerdictKind::passed);
  v.expected.seen_by = "simulated";
  EXPECT_EQ(judge(v), Standing::not_run);
  v.expected.seen_by = "gpu";
  EXPECT_EQ(judge(v), Standing::bad);
}

TEST_F(Comparison, WhatOnlyAGpuShowsMayPassElsewhere) {
  auto v = verified(AnswerKind::wrong, VerdictKind::passed);
  v.expected.seen_by = "gpu";
  EXPECT_EQ(judge(v), Standing::not_run);
  v = verified(AnswerKind::wrong, VerdictKind::passed);
  EXPECT_EQ(judge(v), Standing::bad);
}

TEST(Counts, AddUp) {
  ExerciseVerified one;
  for (auto kind : {AnswerKind::starter, AnswerKind::solution, AnswerKind::wrong, AnswerKind::right}) {
    Verified v;
    v.expected.kind = kind;
    v.standing = Standing::ok;
    one.answers.push_back(v);
  }
  EXPECT_TRUE(count({one}).all_ok());
  one.answers[2].standing = Standing::bad;
  EXPECT_FALSE(count({one}).all_ok());
  EXPECT_EQ(count({one}).wrong_answers, 1);
  EXPECT_EQ(count({one}).wrong_answers_ok, 0);
}

}  // namespace
}  // namespace workbook::grader
