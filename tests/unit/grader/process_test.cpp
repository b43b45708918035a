#include "grader/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace workbook::grader {
namespace {

Command shell(const std::string& script) {
  Command command;
  command.arguments = {"sh", "-c", script};
  return command;
}

TEST(Process, GivesOutputAndExitCode) {
  const Ended ended = run(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_THAT(ended.output, testing::AllOf(testing::HasSubstr("out"), testing::HasSubstr("err")));
  EXPECT_FALSE(ended.ok());
  EXPECT_EQ(in_words(ended), "exit code 3");
}

TEST(Process, SaysWhenASignalEndedIt) {
  const Ended ended = run(shell("kill -SEGV $$"));
  EXPECT_EQ(ended.signal, SIGSEGV);
  EXPECT_THAT(in_words(ended), testing::HasSubstr("signal 11"));
}

TEST(Process, AProgramThatIsNotThereSaysSo) {
  Command command;
  command.arguments = {"no-such-program-anywhere"};
  EXPECT_FALSE(run(command).started);
  command.arguments = {"/dev/null"};
  const Ended ended = run(command);
  EXPECT_FALSE(ended.started);
  EXPECT_THAT(ended.output, testing::HasSubstr("cannot run /dev/null"));
}

TEST(Process, AnEndlessOneIsEndedWithItsChildren) {
  const TemporaryFolder folder("process-test");
  Command command = shell("sleep 1000 & echo $! > " + (folder.path() / "pid").string() + "; wait");
  command.seconds = 0.3;
  const Ended ended = run(command);
  EXPECT_TRUE(ended.timed_out);
  EXPECT_LT(ended.wall_seconds, 5);
  const pid_t child = std::stoi(read_file(folder.path() / "pid").value());
  bool gone = false;
  for (int i = 0; i < 100 && !gone; ++i) {
    const auto stat = read_file("/proc/" + std::to_string(child) + "/stat");
    gone = !stat || stat->find(") Z ") != std::string::npos;
    if (!gone) ::usleep(10000);
  }
  EXPECT_TRUE(gone);
}

TEST(Process, AFloodOfOutputIsCut) {
  Command command = shell("yes | head -c 50000000");
  command.output_limit = 1000;
  const Ended ended = run(command);
  EXPECT_EQ(ended.output.size(), 1000u);
  EXPECT_TRUE(ended.truncated);
  EXPECT_EQ(ended.exit_code, 0);
}

TEST(Process, ABackgroundChildThatHoldsThePipeDoesNotHoldUs) {
  Command command = shell("setsid sleep 3 & exit 0");
  const Ended ended = run(command);
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_LT(ended.wall_seconds, 2);
}

TEST(Process, IsCancelledOnRequest) {
  Command command = shell("sleep 1000");
  std::atomic<int> asked{0};
  command.cancelled = [&] { return ++asked > 2; };
  const Ended ended = run(command);
  EXPECT_TRUE(ended.cancelled);
  EXPECT_LT(ended.wall_seconds, 5);
}

TEST(Process, EnvironmentIsSetAndRemoved) {
  ::setenv("WORKBOOK_TEST_GONE", "here", 1);
  Command command = shell("echo [$WORKBOOK_TEST_GONE][$WORKBOOK_TEST_NEW]");
  command.environment = {{"WORKBOOK_TEST_GONE", ""}, {"WORKBOOK_TEST_NEW", "a b"}};
  EXPECT_EQ(run(command).output, "[][a b]\n");
}

TEST(Process, StandardInputIsEmpty) {
  EXPECT_EQ(run(shell("wc -c")).output, "0\n");
}

}  // namespace
}  // namespace workbook::grader
