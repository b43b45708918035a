// Each .cu beside this file makes one mistake and says in its head what the simulated device must find: the
// kind, the block and thread, a word of the sentence, and, by the mark `<- here`, the line.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "trace/reader.h"
#include "trace/symbolize.h"

namespace workbook {
namespace {

namespace fs = std::filesystem;

struct Expected {
  std::string kind, says;
  std::optional<unsigned> block, thread;
  unsigned line = 0;
};

std::string value_after(const std::string& line, const std::string& key) {
  const auto at = line.find(key);
  if (at == std::string::npos) return {};
  std::istringstream rest(line.substr(at + key.size()));
  std::string value;
  rest >> value;
  return value;
}

Expected read_expected(const fs::path& program) {
  Expected e;
  std::ifstream in(program);
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    if (line.find("<- here") != std::string::npos) e.line = number;
    if (line.rfind("// kind:", 0) == 0) e.kind = value_after(line, "kind:");
    if (line.rfind("// says:", 0) == 0) e.says = line.substr(line.find(':') + 2);
    if (line.rfind("// block:", 0) == 0) {
      e.block = std::stoul(value_after(line, "block:"));
      e.thread = std::stoul(value_after(line, "thread:"));
    }
  }
  return e;
}

struct Outcome {
  trace::TraceFile trace;
  std::string output;  // what the program and the runtime said
};

Outcome run(const fs::path& executable) {
  const std::string trace_path = executable.string() + ".trace";
  const std::string output_path = executable.string() + ".output";
  const pid_t child = fork();
  if (child == 0) {
    const int trace_fd = open(trace_path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0644);
    const int output = open(output_path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    setenv("WORKBOOK_TRACE_FD", std::to_string(trace_fd).c_str(), 1);
    setenv("LD_LIBRARY_PATH", CUDART_DIR, 1);
    setenv("WORKBOOK_INSTRUCTION_BUDGET", "2000000", 1);
    execl(executable.c_str(), executable.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {trace::read_trace(trace_path), trace::read_file(output_path)};
}

// The line of the mistake: a kernel's own, or where the host made the call.
unsigned line_of(const trace::Event& fault, const nlohmann::json& detail, const fs::path& executable) {
  if (detail.contains("at") && detail["at"].value("line", 0u) != 0) return detail["at"]["line"];
  const auto places = trace::symbolize(executable.string(), fault.frames);
  const auto frames = trace::frames_of(fault.frames, places);
  const auto* frame = trace::first_frame_in({executable.filename().string() + ".cu"}, frames);
  return frame == nullptr ? 0 : frame->line;
}

class Faults : public testing::TestWithParam<std::string> {};

TEST_P(Faults, is_found_with_its_place) {
  const fs::path program = fs::path(SOURCE_DIR) / (GetParam() + ".cu");
  const fs::path executable = fs::path(BINARY_DIR) / GetParam();
  const Expected expected = read_expected(program);
  ASSERT_FALSE(expected.kind.empty());
  ASSERT_NE(expected.line, 0u);

  const Outcome outcome = run(executable);
  const auto& events = outcome.trace.events;
  const auto fault = std::find_if(events.begin(), events.end(),
                                  [](const trace::Event& e) { return e.kind == trace::EventKind::fault; });
  ASSERT_NE(fault, events.end()) << "no fault was found; the program said:\n" << outcome.output;

  const auto detail = nlohmann::json::parse(fault->detail_json);
  EXPECT_EQ(detail["kind"], expected.kind) << fault->detail_json;
  EXPECT_NE(fault->text.find(expected.says), std::string::npos) << fault->text;
  EXPECT_EQ(line_of(*fault, detail, executable), expected.line) << fault->detail_json;
  if (expected.block) {
    EXPECT_EQ(detail["block"][0], *expected.block);
    EXPECT_EQ(detail["thread"][0], *expected.thread);
  }
  // A person who runs the program without the workbook's grader reads it too.
  EXPECT_NE(outcome.output.find(expected.says), std::string::npos) << outcome.output;
}

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(SOURCE_DIR)) {
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Programs, Faults, testing::ValuesIn(programs()),
                         [](const auto& instance) { return "p" + instance.param; });

}  // namespace
}  // namespace workbook
