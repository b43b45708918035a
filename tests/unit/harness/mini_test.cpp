// The whole way from a check to its record: a judge, a runner with mistakes, a libcudart of our own.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "trace/record.h"

namespace {

using workbook::trace::CaseResult;
using workbook::trace::Outcome;
using workbook::trace::Record;

Record judge(const std::string& mistake, const std::string& more = {}) {
  const std::string folder = testing::TempDir(), record = folder + "mini_record.jsonl",
                    chapter = folder + "mini_chapter.toml";
  std::ofstream(chapter)
      << "[[exercise]]\nid = \"0.1\"\n[exercise.bounds.busy]\nat_most = 2.0\nreference = 1.0\n"
         "question = \"What takes so long?\"\n";
  std::remove(record.c_str());
  const std::string command =
      "MISTAKE=" + mistake + " " JUDGE " --runner " RUNNER " --device gpu --record " + record +
      " --chapter " + chapter + " --seed 3 --cudart-dir " STUB_DIR " --nvtx-library " NVTX_LIBRARY + more +
      " --learner-file " SOURCE_DIR "/mini_learner.cpp > " + folder + "mini_output 2>&1";
  const int status = std::system(command.c_str());
  EXPECT_TRUE(WIFEXITED(status));
  return workbook::trace::read_record(record);
}

// The last case written; a failure there ends the exercise.
const CaseResult& last(const Record& record) {
  return record.cases.back();
}

TEST(Mini, RightCodePassesEveryCase) {
  const Record record = judge("none");
  EXPECT_TRUE(record.ended);
  EXPECT_EQ(record.exercise, "0.1");
  EXPECT_EQ(record.seed, 3u);
  EXPECT_EQ(record.planned.size(), 7u);
  ASSERT_EQ(record.cases.size(), 7u);
  for (const auto& c : record.cases)
    EXPECT_EQ(c.outcome, Outcome::passed) << c.name << " " << c.why << (c.failure ? c.failure->headline : "");
  EXPECT_EQ(record.cases[0].passed_text, "right for 4 sizes");
  EXPECT_EQ(record.cases[0].asked, "y = 2 x.");
  ASSERT_EQ(record.cases[5].bounds.size(), 1u);
  EXPECT_TRUE(record.cases[5].bounds[0].met);
  EXPECT_EQ(record.cases[5].bounds[0].device, "Stub");
  ASSERT_EQ(record.cases[6].bounds.size(), 1u);
  EXPECT_TRUE(record.cases[6].bounds[0].met);
  EXPECT_DOUBLE_EQ(record.cases[6].bounds[0].now_us, 1500);
  EXPECT_DOUBLE_EQ(record.cases[6].bounds[0].limit_us, 2000);
}

struct Expected {
  const char* mistake;
  Outcome outcome;
  const char* code;
  const char* headline;  // a part of it
};

class Mistakes : public testing::TestWithParam<Expected> {};

TEST_P(Mistakes, EndTheExerciseWithTheirMessage) {
  const auto& expected = GetParam();
  const Record record = judge(expected.mistake);
  EXPECT_TRUE(record.ended);
  ASSERT_FALSE(record.cases.empty());
  const CaseResult& result = last(record);
  ASSERT_TRUE(result.failure) << result.why;
  EXPECT_EQ(result.outcome, expected.outcome);
  EXPECT_EQ(result.failure->code, expected.code);
  EXPECT_NE(result.failure->headline.find(expected.headline), std::string::npos) << result.failure->headline;
  EXPECT_FALSE(result.failure->question.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, Mistakes,
    testing::Values(Expected{"tail", Outcome::wrong, "pattern.tail", "First wrong, n = 100: y[50] is poison"},
                    Expected{"past_the_end", Outcome::wrong, "out_of_bounds",
                             "y[100] was written, and y has 100 elements."},
                    Expected{"changes_input", Outcome::wrong, "input_changed", "x[3] was changed"},
                    Expected{"crash", Outcome::crashed, "crash", "SIGSEGV"},
                    Expected{"exit", Outcome::crashed, "ended_early", "ended by itself"},
                    Expected{"throw", Outcome::crashed, "exception", "no more"},
                    Expected{"api_error", Outcome::wrong, "cudaErrorInvalidValue", "cudaFree at line"},
                    Expected{"slow", Outcome::too_slow, "bound.busy", "us are allowed"},
                    Expected{"slow_alone", Outcome::too_slow, "bound.busy", "3000.0 us, and at most 2000.0"}),
    [](const auto& each) { return std::string(each.param.mistake); });

TEST(Mini, WhatIsPrintedIsKeptAndProvesNothing) {
  const Record record = judge("print");
  EXPECT_EQ(last(record).outcome, Outcome::passed);
  EXPECT_EQ(judge("tail").cases.size(), 1u);  // later cases are not looked at
}

TEST(Mini, NotRunIsNeverPassedAndEndsNothing) {
  const Record record = judge("not_run");
  ASSERT_EQ(record.cases.size(), 7u);
  EXPECT_EQ(record.cases[4].outcome, Outcome::not_run);
  EXPECT_EQ(record.cases[4].why, "needs a telescope");
}

TEST(Mini, WhatADriverMeasuresMayBeTooNoisyToTell) {
  EXPECT_EQ(last(judge("scatters")).outcome, Outcome::inconclusive);
}

TEST(Mini, DeviceTimesComeFromTheRecorder) {
  const Record record = judge("device_times", " --cupti-library " DEVICE_TIMES);
  ASSERT_EQ(record.cases.size(), 7u);
  const CaseResult& c = record.cases[4];
  EXPECT_EQ(c.outcome, Outcome::passed) << c.why << (c.failure ? c.failure->headline : "");
}

TEST(Mini, WithoutARecorderDeviceTimesAreNotRun) {
  const Record record = judge("device_times");
  ASSERT_EQ(record.cases.size(), 7u);
  EXPECT_EQ(record.cases[4].outcome, Outcome::not_run);
  EXPECT_NE(record.cases[4].why.find("found no CUPTI"), std::string::npos) << record.cases[4].why;
}

TEST(Mini, ARecorderThatLacksADoorIsOurFault) {
  const CaseResult result = last(judge("device_times", " --cupti-library " LACKS_A_DOOR));
  EXPECT_EQ(result.outcome, Outcome::grader_error);
  EXPECT_NE(result.why.find("lacks wbDeviceTimesStart"), std::string::npos) << result.why;
}

TEST(Mini, AMisusedDriverIsOurFault) {
  const Record record = judge("misuse");
  EXPECT_EQ(last(record).outcome, Outcome::grader_error);
  EXPECT_NE(last(record).why.find("there is no driver 'nothing'"), std::string::npos) << last(record).why;
}

}  // namespace
