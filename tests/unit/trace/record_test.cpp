// A record survives the way to the file and back, and says whether the judge came to its end.
#include "trace/record.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace workbook::trace {
namespace {

const std::string path = std::string(WORKBOOK_SCRATCH) + "/test.record";

CaseResult failed_case() {
  CaseResult c;
  c.name = "every_size";
  c.asked = "y = a*x + y";
  c.outcome = Outcome::wrong;
  c.learner_output = "hi\n";
  c.wall_ms = 12;
  c.failure = Failure{.outcome = Outcome::wrong,
                      .kind = "fault",
                      .code = "out_of_bounds",
                      .headline = "First wrong, n = 1000",
                      .evidence = {"thread 232 of block 3"},
                      .places = {{"a.cu", 14, 4, "writes 4 bytes"}},
                      .question = "What should a thread do that has no element?"};
  c.bounds = {{.name = "time",
               .now_us = 3,
               .limit_us = 2,
               .reference_us = 1,
               .rule = "1.25 x copy",
               .modelled = true,
               .device = "h200@1",
               .noise = 0.5,
               .met = false}};
  return c;
}

TEST(Record, SurvivesTheFile) {
  Record plan;
  plan.exercise = "2.1";
  plan.device = "simulated";
  plan.device_name = "D";
  plan.profile = "h200@1";
  plan.seed = ~0ull;
  plan.planned = {"every_size", "fast_enough"};
  {
    RecordWriter writer(path);
    writer.start(plan);
    writer.add(failed_case());
    writer.end();
  }
  const Record back = read_record(path);
  EXPECT_TRUE(back.ended);
  EXPECT_EQ(back.exercise, "2.1");
  EXPECT_EQ(back.seed, ~0ull);
  EXPECT_EQ(back.planned, plan.planned);
  ASSERT_EQ(back.cases.size(), 1u);
  EXPECT_EQ(to_json(back.cases[0]), to_json(failed_case()));
  EXPECT_EQ(back.cases[0].failure->places.at(0).note, "writes 4 bytes");
  EXPECT_EQ(back.cases[0].bounds.at(0).rule, "1.25 x copy");
}

TEST(Record, NoEndMeansNotEnded) {
  RecordWriter writer(path);
  writer.start({});
  writer.add(failed_case());
  EXPECT_FALSE(read_record(path).ended);
  std::ofstream(path, std::ios::app) << R"({"event":"ca)";
  EXPECT_EQ(read_record(path).cases.size(), 1u);
}

TEST(Record, WhatIsNotARecordThrows) {
  const auto write = [](const char* text) { std::ofstream(path) << text; };
  write("{\"event\":\"case\"}\n");
  EXPECT_THROW(read_record(path), std::runtime_error);
  write("{\"event\":\"start\",\"schema\":\"workbook-record/9\"}\n");
  EXPECT_THROW(read_record(path), std::runtime_error);
  write("hello\n");
  EXPECT_THROW(read_record(path), std::runtime_error);
  EXPECT_THROW(RecordWriter("/nonexistent/dir/x"), std::runtime_error);
}

TEST(Record, EveryOutcomeHasAName) {
  for (int i = 0; i <= static_cast<int>(Outcome::grader_error); ++i) {
    CaseResult c;
    c.outcome = static_cast<Outcome>(i);
    EXPECT_EQ(case_from_json(to_json(c)).outcome, c.outcome);
  }
}

}  // namespace
}  // namespace workbook::trace
