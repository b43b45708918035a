#include "grader/compiler_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbook::grader {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const fs::path root = "/home/학생/my workbook";

TEST(CompilerText, TheLearnersErrorComesFirstAndShort) {
  const std::string output =
      "/usr/include/thing.h(10): error: something deep\n"
      "/home/학생/my workbook/work/a.cu(14): error: identifier \"n\" is undefined\n"
      "    if (i < n) y[i] = 0;\n            ^\n\n"
      "work/a.cu(2): warning #177-D: variable \"k\" was declared but never referenced\n\n"
      "2 errors detected in the compilation of \"work/a.cu\".\n";
  const std::string tidy = tidy_compiler_output(output, {root / "work/a.cu"}, root);
  EXPECT_THAT(tidy, StartsWith("work/a.cu(14): error: identifier \"n\" is undefined\n    if (i < n)"));
  EXPECT_THAT(tidy, HasSubstr("something deep"));
  EXPECT_THAT(tidy, Not(HasSubstr("warning")));
  EXPECT_THAT(tidy, Not(HasSubstr("2 errors detected")));
  const auto failure = compile_failure(tidy, false);
  ASSERT_EQ(failure.places.size(), 1u);
  EXPECT_EQ(failure.places[0].file, "work/a.cu");
  EXPECT_EQ(failure.places[0].line, 14u);
  EXPECT_EQ(failure.code, "compile.error");
}

TEST(CompilerText, ManyErrorsAreCounted) {
  std::string output;
  for (int i = 1; i <= 9; ++i)
    output += "a.cu(" + std::to_string(i) + "): error: e" + std::to_string(i) + "\n";
  EXPECT_THAT(tidy_compiler_output(output, {"a.cu"}, root), HasSubstr("(6 more messages"));
}

TEST(CompilerText, WhatIsNoMessageStays) {
  EXPECT_EQ(tidy_compiler_output("nvcc was killed\n", {}, root), "nvcc was killed\n");
}

TEST(CompilerText, TheLinkersWordsAreExplained) {
  const auto missing = compile_failure(
      "x.cpp:(.text+0x1): undefined reference to `saxpy(int, float, float const*, float*)'\n", true);
  EXPECT_EQ(missing.code, "link.undefined");
  EXPECT_THAT(missing.headline, HasSubstr("saxpy(int, float, float const*, float*)"));
  EXPECT_EQ(compile_failure("a.o: multiple definition of `main'; b.o: first defined here", true).code,
            "link.multiple");
  EXPECT_EQ(compile_failure("ld: strange", true).code, "link.error");
}

}  // namespace
}  // namespace workbook::grader
