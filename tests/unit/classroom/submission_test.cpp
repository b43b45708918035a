#include "classroom/submission.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

namespace workbook::classroom {
namespace {

std::vector<grader::Exercise> two_exercises() {
  grader::Exercise first, second;
  first.id = "1.1", first.chapter_folder = "01_one", first.files = {"01_a.cu"};
  second.id = "1.2", second.chapter_folder = "01_one", second.files = {"02_b.cu", "02_b.h"};
  return {first, second};
}

class Folder : public testing::Test {
 protected:
  Folder() : temporary("submission-test"), exercises(two_exercises()) {
    space.root = temporary.path() / "book";
    space.build = temporary.path() / "build";
    for (const char* name : {"01_a.cu", "02_b.cu", "02_b.h"})
      grader::write_file(space.root / "chapters/01_one" / name, std::string("starter ") + name);
  }
  void put(const fs::path& path, const std::string& text) {
    grader::write_file(temporary.path() / "class" / path, text);
  }
  SubmissionFiles take(const std::string& name) {
    return take_files({temporary.path() / "class" / name, name, name}, exercises, space);
  }
  grader::TemporaryFolder temporary;
  std::vector<grader::Exercise> exercises;
  grader::Workspace space;
};

TEST_F(Folder, TakesOnlyTheNamedFiles) {
  put("kim/work/01_one/01_a.cu", "mine");
  put("kim/work/01_one/other.cu", "not asked for");
  put("kim/solutions/01_one/01_a.cu", "not asked for");
  const auto files = take("kim");
  EXPECT_EQ(files.answers.at("1.1").texts, std::vector<std::string>{"mine"});
  EXPECT_LT(files.answers.at("1.1").texts[0].capacity(), 4096u) << "thousands of them are held";
  EXPECT_TRUE(files.answers.at("1.1").handed_in);
  EXPECT_FALSE(files.answers.at("1.2").handed_in);
  EXPECT_TRUE(files.remarks.empty());
}

TEST_F(Folder, FindsThemInEveryUsualPlace) {
  put("a/01_one/01_a.cu", "x");
  put("b/01_a.cu", "x");
  put("c/cuda-workbook/work/01_one/01_a.cu", "x");
  for (const char* name : {"a", "b", "c"}) EXPECT_TRUE(take(name).answers.at("1.1").handed_in) << name;
}

TEST_F(Folder, AMissingSecondFileIsTheStarters) {
  put("kim/work/01_one/02_b.cu", "mine");
  EXPECT_EQ(take("kim").answers.at("1.2").texts, (std::vector<std::string>{"mine", "starter 02_b.h"}));
}

TEST_F(Folder, FollowsNoLinkAndOpensNoPipe) {
  put("secret", "somebody else's");
  const fs::path work = temporary.path() / "class/kim/work/01_one";
  fs::create_directories(work);
  fs::create_symlink(temporary.path() / "class/secret", work / "01_a.cu");
  ASSERT_EQ(::mkfifo((work / "02_b.cu").c_str(), 0600), 0);
  const auto files = take("kim");
  EXPECT_NE(files.answers.at("1.1").refused.find("is a link"), std::string::npos);
  EXPECT_NE(files.answers.at("1.2").refused.find("is a pipe"), std::string::npos);
  EXPECT_EQ(files.remarks.size(), 2u);
}

TEST_F(Folder, ALinkedFolderIsNotFollowedEither) {
  put("lee/work/01_one/01_a.cu", "lee's");
  fs::create_directories(temporary.path() / "class/kim/work");
  fs::create_directory_symlink(temporary.path() / "class/lee/work/01_one",
                               temporary.path() / "class/kim/work/01_one");
  const auto files = take("kim");
  EXPECT_FALSE(files.answers.at("1.1").refused.empty());
}

TEST_F(Folder, AHardLinkIsForAPersonToLookAt) {
  put("seed", "a secret of the teacher's");
  const fs::path work = temporary.path() / "class/kim/work/01_one";
  fs::create_directories(work);
  fs::create_hard_link(temporary.path() / "class/seed", work / "01_a.cu");
  const auto answer = take("kim").answers.at("1.1");
  EXPECT_NE(answer.trouble.find("is a hard link"), std::string::npos);
  EXPECT_TRUE(answer.texts.empty() || answer.texts.front().find("secret") == std::string::npos);
}

TEST_F(Folder, WhatMayNotBeReadIsNotMissing) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  put("kim/work/01_one/01_a.cu", "mine");
  put("lee/work/01_one/01_a.cu", "mine");
  fs::permissions(temporary.path() / "class/kim/work/01_one/01_a.cu", fs::perms::none);
  fs::permissions(temporary.path() / "class/lee/work", fs::perms::none);
  for (const char* name : {"kim", "lee"}) EXPECT_NE(take(name).answers.at("1.1").trouble, "") << name;
  fs::permissions(temporary.path() / "class/lee/work", fs::perms::owner_all);
}

TEST_F(Folder, ASparseFileOfAHundredGigabytesIsReadNoFurtherThanAnAnswer) {
  put("kim/work/01_one/01_a.cu", "x");
  fs::resize_file(temporary.path() / "class/kim/work/01_one/01_a.cu", std::uintmax_t{100} << 30);
  EXPECT_NE(take("kim").answers.at("1.1").refused, "");
}

TEST_F(Folder, NobodyTakesAnothersPlace) {
  put("김/work/01_one/01_a.cu", "x");
  const fs::path top = temporary.path() / "class";
  const std::string id = find_submissions(top, exercises, true).front().id;
  put(id + "/work/01_one/01_a.cu", "y");
  std::set<std::string> ids;
  for (const auto& s : find_submissions(top, exercises, true)) ids.insert(s.id);
  EXPECT_EQ(ids.size(), 2u);
}

TEST_F(Folder, AThousandFoldersTakeNoTime) {
  for (int i = 0; i < 1000; ++i) fs::create_directories(temporary.path() / "class/kim" / std::to_string(i));
  put("kim/work/01_one/01_a.cu", "mine");
  EXPECT_TRUE(take("kim").answers.at("1.1").handed_in);
}

TEST_F(Folder, TellsAClassFromOneSubmission) {
  put("kim/work/01_one/01_a.cu", "x");
  put("lee/readme.txt", "nothing handed in");
  const fs::path top = temporary.path() / "class";
  EXPECT_EQ(find_submissions(top, exercises, std::nullopt).size(), 2u);
  EXPECT_EQ(find_submissions(top / "kim", exercises, std::nullopt).size(), 1u);
  EXPECT_EQ(find_submissions(top / "lee", exercises, std::nullopt).front().name, "lee");
  EXPECT_EQ(find_submissions(top / "kim/", exercises, false).front().name, "kim");
  EXPECT_THROW(find_submissions(top / "nobody", exercises, std::nullopt), std::runtime_error);
}

TEST_F(Folder, HostileNamesBecomeHarmlessAndStayDifferent) {
  const std::string names[] = {"a\nb", "a\tb", "<b>&]]>", "../x\\", "김철수", "🙂"};
  std::set<std::string> ids;
  for (const auto& name : names) {
    if (name.find('/') != std::string::npos) continue;
    put(name + "/work/01_one/01_a.cu", "x");
  }
  for (const auto& s : find_submissions(temporary.path() / "class", exercises, true)) {
    ids.insert(s.id);
    for (const char c : s.id)
      EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.') << s.id;
    EXPECT_EQ(s.name.find('\n'), std::string::npos);
  }
  EXPECT_EQ(ids.size(), 5u);
}

TEST(Includes, OnlyAnExercisesOwn) {
  for (const char* well : {"#include <cuda_runtime.h>", "#include \"workbook/work.cuh\"",
                           "#include \"02_b.h\"", "// #include \"/etc/passwd\"", "#define incl \"x\""})
    EXPECT_EQ(refused_include(well), "") << well;
  for (const char* bad : {"#include \"/etc/passwd\"", "  #  include <solutions/x.cu>", "#include \"../a.cu\"",
                          "#inc\\\nlude \"/etc/passwd\"", "asm(\".incbin \\\"x\\\"\");", "#embed \"x\"",
                          "%: include \"kernels/copy/copy.h\""})
    EXPECT_NE(refused_include(bad), "") << bad;
}

}  // namespace
}  // namespace workbook::classroom
