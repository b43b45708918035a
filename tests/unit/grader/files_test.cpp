#include "grader/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "grader/elf.h"
#include "grader/state.h"

namespace workbook::grader {
namespace {

TEST(Files, AreWrittenWholeAndReadBack) {
  const TemporaryFolder folder("파일 test");
  const fs::path path = folder.path() / "a b/한국어.txt";
  write_file(path, "hello\n");
  write_file(path, "again\n");
  EXPECT_EQ(read_file(path), "again\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), {}), 1);  // no partial file is left
  EXPECT_EQ(read_file(folder.path() / "none"), std::nullopt);
  EXPECT_THROW(write_file("/proc/none/x", "y"), std::runtime_error);
}

TEST(Files, OnlyRegularFilesAreRead) {
  const TemporaryFolder folder("files-test");
  const fs::path pipe = folder.path() / "pipe.cu", endless = folder.path() / "endless.cu";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", endless);
  EXPECT_EQ(read_file(pipe), std::nullopt);  // and does not wait for a writer
  EXPECT_EQ(read_file(endless), std::nullopt);
  EXPECT_EQ(read_file(folder.path()), std::nullopt);
}

TEST(Files, PathsAreShownRelative) {
  EXPECT_EQ(shown_path("/a/b/c.cu", "/a"), "b/c.cu");
  EXPECT_EQ(shown_path("/x/c.cu", "/a"), "/x/c.cu");
  EXPECT_EQ(shown_path("/ab/c.cu", "/a"), "/ab/c.cu");
  EXPECT_EQ(shown_path("b/c.cu", "/a"), "b/c.cu");
}

TEST(Hash, TellsContentsApart) {
  EXPECT_EQ(Hash().add("abc").hex(), Hash().add("abc").hex());
  EXPECT_NE(Hash().add("abc").hex(), Hash().add("abd").hex());
  EXPECT_NE(Hash().add("ab").add("c").hex(), Hash().add("a").add("bc").hex());
  EXPECT_NE(Hash().add(std::string(8, '\0')).hex(), Hash().add(std::string(16, '\0')).hex());
  EXPECT_EQ(Hash().hex().size(), 32u);
}

TEST(State, IsKept) {
  const TemporaryFolder folder("state-test");
  {
    State state(folder.path());
    state.set_solved("2.1", "simulated");
    state.set_hints_shown("2.2", 2);
    state.set_current("2.2");
    state.save();
  }
  const State state(folder.path());
  EXPECT_TRUE(state.solved("2.1"));
  EXPECT_FALSE(state.solved("2.2"));
  EXPECT_EQ(state.hints_shown("2.2"), 2);
  EXPECT_EQ(state.current(), "2.2");
  EXPECT_EQ(state.trouble(), "");
}

TEST(State, TwoThatSaveLoseNothingSolved) {
  const TemporaryFolder folder("state-test");
  State one(folder.path()), two(folder.path());
  one.set_solved("1.1", "gpu");
  one.save();
  two.set_solved("1.2", "gpu");
  two.save();
  const State state(folder.path());
  EXPECT_TRUE(state.solved("1.1"));
  EXPECT_TRUE(state.solved("1.2"));
}

TEST(State, ABrokenFileIsPutAside) {
  const TemporaryFolder folder("state-test");
  write_file(folder.path() / ".state.json", "{\"schema\": \"workbook-st");
  const State state(folder.path());
  EXPECT_NE(state.trouble(), "");
  EXPECT_TRUE(fs::exists(folder.path() / ".state.json.broken"));
}

TEST(Elf, ReadsThisProgram) {
  const auto facts = program_facts("/proc/self/exe");
  ASSERT_TRUE(facts);
  EXPECT_FALSE(facts->has_device_code);
  EXPECT_FALSE(facts->needed.empty());
  EXPECT_EQ(redirect_problem("/proc/self/exe"), "");
  EXPECT_FALSE(program_facts("/etc/passwd"));
  const TemporaryFolder folder("elf-test");
  write_file(folder.path() / "cut", read_file("/proc/self/exe")->substr(0, 500));
  EXPECT_TRUE(program_facts(folder.path() / "cut"));  // cut short: no facts, no crash
}

}  // namespace
}  // namespace workbook::grader
