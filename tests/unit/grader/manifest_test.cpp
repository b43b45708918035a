#include "grader/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbook::grader {
namespace {

using testing::HasSubstr;

class Manifest : public testing::Test {
 protected:
  Chapter load(const std::string& text) {
    write_file(folder_.path() / "chapters/02_grids/chapter.toml", text);
    return load_chapter(folder_.path() / "chapters/02_grids/chapter.toml", folder_.path());
  }
  std::string complaint(const std::string& text) {
    try {
      load(text);
    } catch (const ManifestError& error) {
      return error.what();
    }
    return "";
  }
  TemporaryFolder folder_{"manifest-test"};
};

constexpr const char* good = R"(number = 2
title = "Grids"
[[exercise]]
id = "2.1"
stem = "01_one"
title = "One"
asked = "y = a*x + y"
hints = ["a", "b", "c"]
[exercise.bounds.roof]
at_most = 2.5
at_most_on_gpu = 2.0
rule = "2.5 x the copy"
reference = 1.6
[[exercise]]
id = "2.2"
stem = "02_two"
title = "Two"
asked = "two"
files = ["02_two.cu", "two.h"]
needs = ["gpu"]
)";

TEST_F(Manifest, SaysHowAnExerciseIsBuilt) {
  const std::string text = std::string(good) + R"(partly_needs = ["gpu"]
[exercise.build]
given = ["given/main.cpp"]
code = ["sm_75"]
architectures_from = "two.h"
ptxas_report = true
)";
  const Exercise two = load(text).exercises[1];
  EXPECT_EQ(two.build.given, std::vector<std::string>{"given/main.cpp"});
  EXPECT_EQ(two.build.code, std::vector<std::string>{"sm_75"});
  EXPECT_EQ(two.build.architectures_from, "two.h");
  EXPECT_TRUE(two.build.ptxas_report);
  EXPECT_TRUE(two.build.machine_code);
  EXPECT_FALSE(
      load(std::string(good) + "[exercise.build]\nmachine_code = false\n").exercises[1].build.machine_code);
  EXPECT_THAT(complaint(std::string(good) + "[exercise.build]\nmachine_code = false\ncode = [\"sm_75\"]\n"),
              HasSubstr("leaves no machine code"));
  EXPECT_EQ(two.partly_needs, std::vector<std::string>{"gpu"});
  EXPECT_THAT(complaint(std::string(good) + "[exercise.build]\ngiven = [\"../x.cpp\"]\n"),
              HasSubstr("'../x.cpp'"));
  EXPECT_THAT(complaint(std::string(good) + "[exercise.build]\ncode = [\"90\"]\n"),
              HasSubstr("like sm_75; '90'"));
  EXPECT_THAT(complaint(std::string(good) + "[exercise.build]\narchitectures_from = \"x\"\n"),
              HasSubstr("one of the exercise's 'files'"));
  EXPECT_THAT(complaint(std::string(good) + "[exercise.build]\nptxas = true\n"),
              HasSubstr("'ptxas' is no key"));
}

TEST_F(Manifest, IsRead) {
  const Chapter chapter = load(good);
  EXPECT_EQ(chapter.number, 2);
  ASSERT_EQ(chapter.exercises.size(), 2u);
  const Exercise& one = chapter.exercises[0];
  EXPECT_EQ(one.path(), "02_grids/01_one");
  EXPECT_EQ(one.files, std::vector<std::string>{"01_one.cu"});
  EXPECT_EQ(one.hints.size(), 3u);
  EXPECT_DOUBLE_EQ(one.bounds.at("roof").at_most, 2.5);
  EXPECT_DOUBLE_EQ(one.bounds.at("roof").at_most_on_gpu, 2.0);
  EXPECT_DOUBLE_EQ(one.bounds.at("roof").reference, 1.6);
  EXPECT_EQ(chapter.exercises[1].needs, std::vector<std::string>{"gpu"});
}

TEST_F(Manifest, MistakesAreToldWithFileAndLine) {
  EXPECT_THAT(complaint("number = 2\ntitle = \n"), HasSubstr("chapters/02_grids/chapter.toml:2:"));
  EXPECT_THAT(complaint("number = 2\n"), HasSubstr("'title' is missing"));
  EXPECT_THAT(complaint("number = \"2\"\ntitle = \"x\"\n"),
              HasSubstr("chapter.toml:1: 'number' must be a number"));
  EXPECT_THAT(complaint("number = 2\ntitle = \"x\"\n[[exercise]]\nid = \"2.1\"\n"),
              HasSubstr("chapter.toml:3: 'stem' is missing"));
  EXPECT_THAT(complaint(std::string(good) + "hint = [\"x\"]\n"), HasSubstr("did you mean 'hints'"));
  EXPECT_THAT(complaint("number = 3\n" + std::string(good).substr(11)), HasSubstr("is not of chapter 3"));
  EXPECT_THAT(complaint("number = 2\ntitle = \"x\"\n[exercise]\nid = \"2.1\"\n"), HasSubstr("two brackets"));
  std::string twice = good;
  twice.replace(twice.find("\"2.2\""), 5, "\"2.1\"");
  EXPECT_THAT(complaint(twice), HasSubstr("stands there twice"));
}

TEST_F(Manifest, ExercisesAreFoundByEveryName) {
  const auto exercises = load(good).exercises;
  for (const char* name :
       {"2.1", "01_one", "one", "01_one.cu", "work/02_grids/01_one.cu", "02_grids/01_one"}) {
    const Exercise* found = find_exercise(exercises, name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->id, "2.1") << name;
  }
  EXPECT_EQ(find_exercise(exercises, "work/03_other/01_one.cu"), nullptr);
  EXPECT_EQ(find_exercise(exercises, "2.9"), nullptr);
}

TEST(Nearest, SuggestsWhatIsClose) {
  EXPECT_EQ(nearest("chek", {"check", "hint"}), "check");
  EXPECT_EQ(nearest("2.11", {"1.1", "2.1"}), "2.1");
  EXPECT_EQ(nearest("banana", {"check", "hint"}), "");
}

}  // namespace
}  // namespace workbook::grader
