// The process layer against runners that hang, crash, flood, lie, or leave children behind.
#include "harness/judge/process.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "harness/judge/conditions.h"
#include "harness/judge/options.h"
#include "harness/judge/session.h"
#include "trace/seal.h"

namespace {

using namespace workbook::judge;
using Seconds = std::chrono::duration<double>;

Answer run(const char* behaviour, double seconds = 20) {
  setenv("HOME", behaviour, 1);
  options().runner = FAKE_RUNNER;
  Request request;
  request.driver = "any";
  request.seconds = seconds;
  return run_once(request);
}

bool exists(pid_t pid) {
  return kill(pid, 0) == 0;
}

int children() {
  std::ifstream in("/proc/thread-self/children");
  int count = 0;
  for (pid_t pid = 0; in >> pid;) ++count;
  return count;
}

class Runner : public testing::Test {
 protected:
  void SetUp() override { options().simulated = true; }
  void TearDown() override {
    close_session();
    EXPECT_EQ(children(), 0);
  }
};

TEST_F(Runner, AnswersAndIsGone) {
  const Answer answer = run("well");
  EXPECT_EQ(answer.outcome.ending, Ending::answered);
  ASSERT_TRUE(answer.complete);
  EXPECT_EQ(answer.response.at("status"), "ok");
  EXPECT_FALSE(exists(answer.response.at("results").at("pid").at("value").get<pid_t>()));
}

TEST_F(Runner, HangIsTimedOut) {
  for (const char* behaviour : {"hang", "spin"}) {
    const auto begin = std::chrono::steady_clock::now();
    const Answer answer = run(behaviour, 0.3);
    EXPECT_EQ(answer.outcome.ending, Ending::timed_out);
    EXPECT_FALSE(answer.complete);
    EXPECT_LT(Seconds(std::chrono::steady_clock::now() - begin).count(), 10);
  }
}

TEST_F(Runner, CrashNamesTheSignal) {
  const Answer answer = run("crash");
  EXPECT_EQ(answer.outcome.ending, Ending::signalled);
  EXPECT_EQ(answer.outcome.code, SIGSEGV);
  EXPECT_NE(signal_words(SIGSEGV).find("SIGSEGV"), std::string::npos);
  EXPECT_EQ(run("abort").outcome.code, SIGABRT);
}

TEST_F(Runner, ExitZeroIsNoEvidence) {
  const Answer answer = run("exit");
  EXPECT_EQ(answer.outcome.ending, Ending::exited);
  EXPECT_EQ(answer.outcome.code, 0);
  EXPECT_FALSE(answer.complete);
}

TEST_F(Runner, AnAnswerWithoutAResponseIsNoEvidence) {
  EXPECT_FALSE(run("silent").complete);
}

TEST_F(Runner, AWrongNonceIsNoEvidence) {
  EXPECT_FALSE(run("nonce").complete);
}

TEST_F(Runner, AClosedSocketEndsIt) {
  const Answer answer = run("close", 5);
  EXPECT_NE(answer.outcome.ending, Ending::answered);
  EXPECT_FALSE(answer.complete);
}

TEST_F(Runner, AFloodIsKeptShort) {
  const Answer answer = run("flood");
  EXPECT_TRUE(answer.complete);
  EXPECT_EQ(answer.printed.size(), std::size_t{64} << 10);
  EXPECT_GE(answer.printed_bytes, answer.printed.size());
}

TEST_F(Runner, AChildThatLeftTheGroupIsEnded) {
  EXPECT_TRUE(run("child").complete);
  EXPECT_EQ(children(), 0);
}

TEST_F(Runner, WhatItPrintsIsKeptApart) {
  EXPECT_EQ(run("print").printed, "PASSED all tests\n");
}

TEST_F(Runner, ItsEnvironmentIsAList) {
  setenv("SECRET_TOKEN", "x", 1);
  setenv("LD_PRELOAD_X", "x", 1);
  const std::string printed = run("environment").printed;
  EXPECT_EQ(printed.find("SECRET_TOKEN"), std::string::npos);
  EXPECT_EQ(printed.find("LD_PRELOAD"), std::string::npos);
  EXPECT_NE(printed.find("WORKBOOK_EXPECT=simulated"), std::string::npos);
  EXPECT_NE(printed.find("WORKBOOK_QUIET=1"), std::string::npos);
}

TEST_F(Runner, TheTraceIsInTheOrderOfTheCalls) {
  const Answer answer = run("trace");
  ASSERT_EQ(answer.events.size(), 2u);
  EXPECT_EQ(answer.events[0].kind, workbook::trace::EventKind::kernel);
  EXPECT_EQ(answer.header.device, "simulated");
}

TEST_F(Runner, AMissingProgramSaysSo) {
  setenv("HOME", "well", 1);
  options().runner = "/nowhere/runner";
  Request request;
  try {
    run_once(request);
    FAIL() << "nothing was said";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/runner cannot be started"), std::string::npos);
  }
}

TEST_F(Runner, ForgedLinesAndAnswersAreTold) {
  EXPECT_EQ(run("trace").forgery, Forgery::none);
  EXPECT_EQ(run("forge").forgery, Forgery::trace);
  EXPECT_EQ(run("silent").forgery, Forgery::answer);
  EXPECT_EQ(run("nonce").forgery, Forgery::answer);
  EXPECT_EQ(run("exit").forgery, Forgery::none) << "who does not answer forges nothing";
}

TEST_F(Runner, AMemoryLimitHolds) {
  conditions().memory_bytes = std::uint64_t{200} << 20;
  const Answer answer = run("memory");
  conditions() = {};
  EXPECT_EQ(answer.outcome.ending, Ending::memory);
}

TEST(Seals, AKeyIsTakenOnce) {
  const auto key = workbook::trace::random_seal_key();
  setenv("KEY_OF_A_TEST", to_text(key).c_str(), 1);
  const char* place = getenv("KEY_OF_A_TEST");
  EXPECT_EQ(workbook::trace::take_seal_key("KEY_OF_A_TEST")->second, key.second);
  EXPECT_FALSE(workbook::trace::take_seal_key("KEY_OF_A_TEST"));
  EXPECT_EQ(std::string(place), std::string(32, '0')) << "wiped, not only forgotten";
}

TEST(Seals, EveryChangeShows) {
  const workbook::trace::SealKey key{1, 2};
  const std::string two = sealed_line(key, 0, "first") + sealed_line(key, 1, "second");
  EXPECT_EQ(workbook::trace::unsealed(key, 0, two).text, "first\nsecond\n");
  EXPECT_EQ(workbook::trace::unsealed(key, 0, two).bad_line, 0u);
  EXPECT_EQ(workbook::trace::unsealed(key, 1, two).bad_line, 1u) << "a line before them is missing";
  EXPECT_EQ(workbook::trace::unsealed(key, 0, sealed_line(key, 1, "second")).bad_line, 1u);
  EXPECT_EQ(workbook::trace::unsealed({1, 3}, 0, two).bad_line, 1u);
  std::string changed = two;
  changed[7 + 16] ^= 1;
  EXPECT_NE(workbook::trace::unsealed(key, 0, changed).bad_line, 0u);
  EXPECT_EQ(workbook::trace::unsealed(key, 0, two + "torn").text, "first\nsecond\n");
}

TEST_F(Runner, OnAGpuTheProcessIsKeptUntilSomethingGoesWrong) {
  options().simulated = false;
  const auto pid = [](const Answer& a) {
    return a.response.at("results").at("pid").at("value").get<pid_t>();
  };
  const Answer first = run("well"), second = run("well");
  EXPECT_EQ(pid(first), pid(second));
  EXPECT_TRUE(exists(pid(first)));
  close_session();
  EXPECT_FALSE(exists(pid(first)));
  EXPECT_NE(pid(run("well")), pid(first));
}

TEST_F(Runner, OnTheSimulatedDeviceEachRunHasItsOwn) {
  const auto pid = [](const Answer& a) {
    return a.response.at("results").at("pid").at("value").get<pid_t>();
  };
  EXPECT_NE(pid(run("well")), pid(run("well")));
}

}  // namespace
