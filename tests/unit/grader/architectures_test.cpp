#include "grader/architectures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbook::grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Architectures, AreReadAsACommandLineWouldBe) {
  const auto read = read_architectures(
      "# the lab\n-gencode arch=compute_75,code=sm_75   # "
      "T4\n-gencode=arch=compute_90,code=\"[sm_90,compute_90]\" \\\n"
      "  -arch all-major\n\n");
  EXPECT_EQ(read.problem, "");
  EXPECT_THAT(read.options,
              ElementsAre("-gencode", "arch=compute_75,code=sm_75",
                          "-gencode=arch=compute_90,code=[sm_90,compute_90]", "-arch", "all-major"));
  EXPECT_TRUE(read_architectures("# nothing\n").options.empty());
}

TEST(Architectures, OtherOptionsAreRefusedWithTheirLine) {
  for (const char* word : {"-ccbin", "-Xcompiler", "--options-file=x", "-o", "a.cu", "-gencod", "$(touch"}) {
    const auto read = read_architectures(std::string("-arch sm_90\n") + word + " evil\n");
    EXPECT_THAT(read.problem, HasSubstr(word));
    EXPECT_EQ(read.line, 2u);
  }
  EXPECT_THAT(read_architectures("-arch -ccbin\n").problem,
              HasSubstr("-arch needs a value, and '-ccbin' is none"));
  EXPECT_THAT(read_architectures("-gencode arch=compute_75;x\n").problem, HasSubstr("is none"));
  EXPECT_THAT(read_architectures("-arch\n").problem, HasSubstr("-arch needs a value."));
}

TEST(Architectures, TheWorkbooksOwnMakeRoom) {
  EXPECT_THAT(without_architectures(
                  {"-O2", "-gencode", "arch=compute_75,code=sm_90", "-arch=sm_90", "-code", "x", "-g1"}),
              ElementsAre("-O2", "-g1"));
}

}  // namespace
}  // namespace workbook::grader
