#include "grader/work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbook::grader {
namespace {

constexpr const char* first_version = "// 1\n// 2\n// 3\n// TODO\n// 5\n// 6\n// 7\n";

class Work : public testing::Test {
 protected:
  Work() {
    exercise_.id = "1.1";
    exercise_.chapter_folder = "01_첫 장";
    exercise_.stem = "01_a";
    exercise_.files = {"01_a.cu"};
    starter(first_version);
  }
  void starter(const std::string& text) { write_file(space_.root / "chapters/01_첫 장/01_a.cu", text); }
  void mine(const std::string& text) { write_file(space_.root / "work/01_첫 장/01_a.cu", text); }
  std::string mine() { return read_file(space_.root / "work/01_첫 장/01_a.cu").value_or("(missing)"); }
  std::vector<WorkChange> update(bool merge = true) { return bring_up_to_date(space_, {exercise_}, merge); }

  TemporaryFolder folder_{"work test"};
  Workspace space_{folder_.path(), folder_.path() / "build", {}};
  Exercise exercise_;
};

TEST_F(Work, IsMadeOnceAndThenLeftAlone) {
  ASSERT_EQ(update().size(), 1u);
  EXPECT_EQ(mine(), first_version);
  mine("my own\n");
  EXPECT_TRUE(update().empty());
  EXPECT_EQ(mine(), "my own\n");
}

TEST_F(Work, AnUntouchedStarterIsRenewed) {
  update();
  starter("new\n");
  EXPECT_TRUE(update(false).empty());
  EXPECT_EQ(update().at(0).change, FileChange::renewed);
  EXPECT_EQ(mine(), "new\n");
  EXPECT_TRUE(update().empty());
}

TEST_F(Work, ChangesOfBothAreMerged) {
  update();
  mine("// 1\n// 2\n// 3\nint done;\n// 5\n// 6\n// 7\n");
  starter("// one\n// 2\n// 3\n// TODO\n// 5\n// 6\n// 7\n");
  const auto changes = update();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].change, FileChange::merged);
  EXPECT_EQ(mine(), "// one\n// 2\n// 3\nint done;\n// 5\n// 6\n// 7\n");
  EXPECT_THAT(read_file(space_.root / changes[0].beside).value_or(""), testing::HasSubstr("// 1\n"));
  EXPECT_TRUE(update().empty());
}

TEST_F(Work, AConflictNeverTouchesTheLearnersFile) {
  update();
  mine("// 1\n// 2\n// 3\nint done;\n// 5\n// 6\n// 7\n");
  starter("// 1\n// 2\n// 3\n// TODO: better words\n// 5\n// 6\n// 7\n");
  const auto changes = update();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].change, FileChange::conflict);
  EXPECT_EQ(mine(), "// 1\n// 2\n// 3\nint done;\n// 5\n// 6\n// 7\n");
  EXPECT_THAT(read_file(space_.root / changes[0].beside).value_or(""), testing::HasSubstr("better words"));
}

TEST_F(Work, ResetKeepsWhatWasThere) {
  update();
  EXPECT_TRUE(reset(space_, exercise_).empty());  // the starter itself needs no copy
  mine("hours of work\n");
  const auto kept = reset(space_, exercise_);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(mine(), first_version);
  EXPECT_EQ(read_file(space_.root / kept[0]), "hours of work\n");
  mine("more\n");
  EXPECT_NE(reset(space_, exercise_).at(0), kept[0]);  // within the same second too
  EXPECT_EQ(read_file(space_.root / kept[0]), "hours of work\n");
}

TEST_F(Work, UntouchedMeansTheSameText) {
  update();
  EXPECT_TRUE(is_untouched(space_, exercise_, work_of(space_, exercise_)));
  mine(std::string(first_version) + " ");
  EXPECT_FALSE(is_untouched(space_, exercise_, work_of(space_, exercise_)));
}

}  // namespace
}  // namespace workbook::grader
