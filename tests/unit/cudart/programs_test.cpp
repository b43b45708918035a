// Whole programs on the simulated device: what they print, how they end, what their traces say.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "trace/reader.h"
#include "trace/symbolize.h"

namespace workbook {
namespace {

struct Outcome {
  int status = 0;  // as a shell gives it
  std::string output;
};

// Runs a command in a shell, with the simulated library first; standard error joins the output unless
// `quiet`.
Outcome run(const std::string& command, const std::string& environment = "WORKBOOK_QUIET=1") {
  const std::string line =
      environment + " LD_LIBRARY_PATH='" WORKBOOK_SIMULATED "' timeout 120 " + command + " 2>&1";
  Outcome outcome;
  FILE* const pipe = popen(line.c_str(), "r");
  std::array<char, 4096> buffer;
  for (std::size_t got; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    outcome.output.append(buffer.data(), got);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

std::string program(const std::string& name) {
  return "'" WORKBOOK_PROGRAMS "/cudart_" + name + "'";
}

TEST(Programs, Clocks) {
  const Outcome outcome = run(program("clocks"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST(Programs, Streams) {
  const Outcome outcome = run(program("streams"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST(Programs, graphs) {
  const Outcome outcome = run(program("graphs"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST(Programs, Memory) {
  const Outcome outcome = run(program("memory"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST(Programs, ThreadsGiveTheSameTimesInAHundredRuns) {
  const Outcome first = run(program("threads"));
  ASSERT_EQ(first.status, 0) << first.output;
  for (int i = 1; i < 100; ++i) {
    const Outcome again = run(program("threads"));
    ASSERT_EQ(again.output, first.output);
  }
}

TEST(Library, ExportsEveryNameOfTheRealOne) {
  std::set<std::string> exported;
  std::istringstream symbols(run("nm -D --defined-only '" WORKBOOK_LIBRARY "'").output);
  for (std::string line; std::getline(symbols, line);) exported.insert(line.substr(line.rfind(' ') + 1));
  std::ifstream names(WORKBOOK_NAMES);
  int count = 0;
  for (std::string line; std::getline(names, line);) {
    if (!line.starts_with("NAME(")) continue;
    const std::string name = line.substr(5, line.size() - 6);
    EXPECT_TRUE(exported.contains(name + "@@libcudart.so.13")) << name;
    ++count;
  }
  EXPECT_EQ(count, 458);
  EXPECT_TRUE(exported.contains("clock_gettime"));  // without a version
  EXPECT_TRUE(exported.contains("wbSimulatedDevice"));
}

#ifdef WORKBOOK_WITH_KERNELS

TEST(Kernels, RightOnesAreRight) {
  const Outcome outcome = run(program("kernels"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_EQ(outcome.output, "before\nthread 0 says 7\nthread 1 says 7\nafter\n");
}

TEST(Kernels, AnUnknownProfileIsSaid) {
  const Outcome outcome = run(program("kernels"), "WORKBOOK_PROFILE=nothing@7");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.output.find("h200@1"), std::string::npos) << outcome.output;
}

// The line of the mark in programs/mistakes.cu.
std::uint32_t marked(const std::string& mark) {
  std::ifstream in(WORKBOOK_MISTAKES_SOURCE);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.ends_with("// MARK " + mark)) return number;
  }
  return 0;
}

struct Mistake {
  Outcome outcome;
  trace::TraceFile trace;
  trace::Event fault;
  nlohmann::json detail;
  std::uint32_t line_of(const std::vector<std::uint64_t>& frames) const {
    const auto places = trace::symbolize(WORKBOOK_PROGRAMS "/cudart_mistakes", frames);
    const auto laid_out = trace::frames_of(frames, places);
    const trace::Frame* frame = trace::first_frame_in({"mistakes.cu"}, laid_out, fault.name);
    return frame == nullptr ? 0 : frame->line;
  }
};

Mistake make(const std::string& name) {
  const std::string path = WORKBOOK_PROGRAMS "/" + name + ".trace";
  Mistake mistake;
  mistake.outcome = run("sh -c \"exec " + program("mistakes") + " " + name + " 9>'" + path + "'\"",
                        "WORKBOOK_QUIET=1 WORKBOOK_INSTRUCTION_BUDGET=1000000 WORKBOOK_TRACE_FD=9");
  mistake.trace = trace::read_trace(path);
  for (const auto& event : mistake.trace.events) {
    if (event.kind == trace::EventKind::fault) mistake.fault = event;
  }
  EXPECT_EQ(mistake.fault.kind, trace::EventKind::fault) << name << ": no fault; " << mistake.outcome.output;
  if (!mistake.fault.detail_json.empty()) mistake.detail = nlohmann::json::parse(mistake.fault.detail_json);
  return mistake;
}

TEST(Mistakes, WritePastTheEnd) {
  const Mistake m = make("write_past_the_end");
  EXPECT_EQ(m.outcome.output, "0 700 700 0 700\n");
  EXPECT_EQ(m.detail["kind"], "out_of_bounds");
  EXPECT_EQ(m.detail["block"], (std::vector<int>{3, 0, 0}));
  EXPECT_EQ(m.detail["thread"], (std::vector<int>{232, 0, 0}));
  EXPECT_EQ(m.detail["at"]["line"], marked("write"));
  EXPECT_EQ(m.detail["allocation"]["size"], 4000);
  EXPECT_EQ(m.line_of(m.fault.frames), marked("launched"));
  EXPECT_EQ(m.line_of(m.detail["allocated_frames"]), marked("allocated"));
}

TEST(Mistakes, ReadPastTheEnd) {
  const Mistake m = make("read_past_the_end");
  EXPECT_EQ(m.detail["kind"], "out_of_bounds");
  EXPECT_EQ(m.detail["is_write"], false);
  EXPECT_EQ(m.detail["at"]["line"], marked("read"));
}

TEST(Mistakes, PinnedMemoryHasAnEndForKernels) {
  const Mistake m = make("pinned_past_the_end");
  EXPECT_EQ(m.detail["kind"], "out_of_bounds");
  EXPECT_EQ(m.detail["allocation"]["size"], 4000);
}

TEST(Mistakes, UseAfterFree) {
  const Mistake m = make("use_after_free");
  EXPECT_EQ(m.detail["kind"], "use_after_free");
  EXPECT_EQ(m.detail["at"]["line"], marked("write"));
  EXPECT_EQ(m.detail["freed_by"], "cudaFree");
}

TEST(Mistakes, DoubleFree) {
  const Mistake m = make("double_free");
  EXPECT_EQ(m.outcome.output, "1 0 1 0 0\n");
  EXPECT_EQ(m.detail["kind"], "double_free");
  EXPECT_EQ(m.line_of(m.fault.frames), marked("freed"));
  EXPECT_EQ(m.line_of(m.detail["freed_frames"]), marked("freed") - 1);
}

TEST(Mistakes, UninitialisedRead) {
  const Mistake m = make("uninitialised_read");
  EXPECT_EQ(m.detail["kind"], "uninitialised_read");
  EXPECT_EQ(m.detail["at"]["line"], marked("read"));
}

TEST(Mistakes, HostDereference) {
  const Mistake m = make("host_dereference");
  EXPECT_EQ(m.outcome.status, 139);
  EXPECT_EQ(m.detail["kind"], "host_dereference");
  EXPECT_EQ(m.detail["allocation"]["offset"], 12);
  EXPECT_EQ(m.line_of(m.fault.frames), marked("dereferenced"));
}

TEST(Mistakes, HostPointer) {
  const Mistake m = make("host_pointer");
  EXPECT_EQ(m.detail["kind"], "host_pointer");
  EXPECT_NE(m.fault.text.find("heap"), std::string::npos) << m.fault.text;
}

TEST(Mistakes, EndlessKernel) {
  const Mistake m = make("endless_kernel");
  EXPECT_EQ(m.detail["kind"], "endless_kernel");
  EXPECT_EQ(m.detail["at"]["line"], marked("spin"));
  EXPECT_EQ(m.outcome.output, "0 702 702 0 702\n");
}

TEST(Mistakes, Assertion) {
  const Mistake m = make("assertion");
  EXPECT_EQ(m.detail["kind"], "assertion");
  EXPECT_EQ(m.outcome.output, "0 710 710 0 710\n");
}

TEST(Mistakes, BadKind) {
  const Mistake m = make("bad_kind");
  EXPECT_EQ(m.detail["kind"], "bad_kind");
  EXPECT_EQ(m.outcome.output, "1 0 1 0 0\n");
  EXPECT_EQ(m.line_of(m.fault.frames), marked("copied"));
}

TEST(Mistakes, CopyPastTheEnd) {
  const Mistake m = make("copy_past_the_end");
  EXPECT_EQ(m.detail["kind"], "out_of_bounds");
  EXPECT_EQ(m.detail["bytes"], 4004);
}

TEST(Mistakes, APersonSeesThem) {
  const Outcome outcome = run(program("mistakes") + " write_past_the_end", "WORKBOOK_SEED=1");
  EXPECT_NE(outcome.output.find("out_of_bounds in kernel write"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("mistakes.cu:" + std::to_string(marked("allocated"))), std::string::npos)
      << outcome.output;
}

#endif

}  // namespace
}  // namespace workbook
