// What only C++ can ask; the formats themselves are read by their consumers' rules in tests/classroom.
#include "classroom/formats.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace workbook::classroom {
namespace {

TEST(Formats, Base64IsTheStandards) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64(std::string("\x00\xff\x10", 3)), "AP8Q");
}

TEST(Formats, HarmlessKeepsTextAndBoundsIt) {
  EXPECT_EQ(harmless("a\nb\tc 김 🙂"), "a\nb\tc 김 🙂");
  EXPECT_EQ(harmless("\x1b[2J"), "␛[2J");
  EXPECT_EQ(harmless("\xef\xbf\xbf"), "\xef\xbf\xbd");
  const std::string cut = harmless(std::string(1 << 20, 'x'), 100);
  EXPECT_LT(cut.size(), 120u);
  EXPECT_TRUE(cut.ends_with("[cut]"));
}

TEST(Formats, AnUnknownNameIsTold) {
  EXPECT_THROW(in_format("pdf", {}), std::invalid_argument);
}

TEST(Grades, JsonKeepsEverything) {
  Grades grades;
  grades.workbook = "abc";
  grades.device = "simulated";
  grades.secret_seed = true;
  grades.seed = 4711;
  SubmissionGrade s;
  s.name = "kim", s.id = "kim";
  ExerciseGrade e;
  e.exercise = "2.1", e.status = "too slow", e.graded = true, e.points = 7.5, e.max_points = 10;
  e.bounds.push_back({});
  e.places.push_back({"a.cu", 3, 1, "here"});
  s.exercises = {e};
  add_up(s);
  grades.submissions = {s};
  const auto json = to_json(grades);
  EXPECT_EQ(json.dump().find("4711"), std::string::npos) << "a secret seed is not written";
  EXPECT_EQ(to_json(grades_from_json(json)), json);
  EXPECT_EQ(grades.submissions[0].state, "graded");
  EXPECT_THROW(grades_from_json({{"schema", "other/1"}}), std::runtime_error);
}

}  // namespace
}  // namespace workbook::classroom
