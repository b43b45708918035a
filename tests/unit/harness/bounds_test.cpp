// Bounds as chapter.toml states them, and what a wrong file is told.
#include "harness/judge/bounds.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace {

using workbook::judge::read_bound;

class Bounds : public testing::Test {
 protected:
  std::string path_ = testing::TempDir() + "chapter_bounds_test.toml";
  void write(const char* text) { std::ofstream(path_) << text; }
  ~Bounds() override { std::remove(path_.c_str()); }
  std::string trouble(const char* exercise, const char* name) {
    try {
      read_bound(path_, exercise, name);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(Bounds, AreFoundByExerciseAndName) {
  write(R"(
[[exercise]]
id = "2.1"
[exercise.bounds.roof]
at_most = 2.5
[[exercise]]
id = "2.2"
[exercise.bounds."byte copy"]
at_most = 2
at_most_on_gpu = 2.25
rule = "half a byte copy"
rule_on_gpu = "4/9 of a byte copy"
reference = 1.5
question = "Who is a neighbor?"
)");
  const auto rule = read_bound(path_, "2.2", "byte copy");
  EXPECT_DOUBLE_EQ(rule.at_most, 2);
  EXPECT_DOUBLE_EQ(rule.at_most_on_gpu, 2.25);
  EXPECT_DOUBLE_EQ(rule.in_use(/*on_gpu=*/false), 2);
  EXPECT_DOUBLE_EQ(rule.in_use(/*on_gpu=*/true), 2.25);
  EXPECT_EQ(rule.words(/*on_gpu=*/false), "half a byte copy");
  EXPECT_EQ(rule.words(/*on_gpu=*/true), "4/9 of a byte copy");
  EXPECT_DOUBLE_EQ(rule.reference, 1.5);
  EXPECT_EQ(rule.question, "Who is a neighbor?");
  EXPECT_EQ(read_bound(path_, "2.1", "roof").words(/*on_gpu=*/true), "2.50 x roof");
}

TEST_F(Bounds, SayWhatIsMissing) {
  write("[[exercise]]\nid = \"2.1\"\n[exercise.bounds.roof]\nrule = \"x\"\n");
  EXPECT_NE(trouble("9.9", "roof").find("id = \"9.9\""), std::string::npos);
  EXPECT_NE(trouble("2.1", "floor").find("floor"), std::string::npos);
  EXPECT_NE(trouble("2.1", "roof").find("at_most"), std::string::npos);
  write("[[exercise\n");
  EXPECT_NE(trouble("2.1", "roof").find(":1:"), std::string::npos);
  EXPECT_THROW(read_bound("", "2.1", "roof"), std::runtime_error);
}

}  // namespace
