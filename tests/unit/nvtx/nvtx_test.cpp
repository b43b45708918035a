// Ranges of a real program, through NVTX's own headers and our library, into the trace.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "timeline/ranges.h"
#include "trace/reader.h"

namespace workbook {
namespace {

using timeline::Range;

// Runs the program with the library in place and reads its trace. Events sorted by number.
trace::TraceFile trace_of(const char* program) {
  char path[] = "/tmp/workbook-nvtx-XXXXXX";
  const int fd = mkstemp(path);
  fcntl(fd, F_SETFL, O_APPEND);
  const pid_t child = fork();
  if (child == 0) {
    setenv("WORKBOOK_TRACE_FD", std::to_string(fd).c_str(), 1);
    setenv("NVTX_INJECTION64_PATH", NVTX_LIBRARY, 1);
    setenv("LD_LIBRARY_PATH", SIMULATED, 1);
    execl(program, program, nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << program;
  close(fd);
  auto file = trace::read_trace(path);
  unlink(path);
  std::sort(file.events.begin(), file.events.end(),
            [](const trace::Event& a, const trace::Event& b) { return a.id < b.id; });
  return file;
}

const Range& find(const timeline::RangeSet& set, const std::string& name) {
  for (const Range& range : set.ranges) {
    if (range.name == name) return range;
  }
  ADD_FAILURE() << "no range " << name;
  return set.ranges.at(0);
}

void expect_ranges(const trace::TraceFile& file) {
  const auto set = timeline::ranges_of(file.events);
  const Range& outer = find(set, "outer");
  ASSERT_EQ(outer.children.size(), 2u);  // the inner range and the mark
  const Range& inner = set.ranges[static_cast<std::size_t>(outer.children[0])];
  EXPECT_EQ(inner.name, "inn\u00e9r");
  EXPECT_EQ(inner.depth, 1);
  EXPECT_EQ(find(set, "here").kind, Range::Kind::mark);
  EXPECT_EQ(set.stray_pops.size(), 1u);

  const Range& full = find(set, "full");
  EXPECT_EQ(full.category, 3u);
  EXPECT_EQ(full.category_name, "io");
  EXPECT_EQ(full.color, 0xff00ff00u);
  EXPECT_EQ(full.payload.type, "double");
  EXPECT_EQ(full.payload.real, 2.5);
  EXPECT_FALSE(full.registered);
  EXPECT_EQ(find(set, "(attributes without version and size)").domain, "");

  std::vector<const Range*> batches;
  for (const Range& range : set.ranges) {
    if (range.name == "batch") batches.push_back(&range);
  }
  ASSERT_EQ(batches.size(), 2u);
  EXPECT_EQ(batches[1]->domain, "test.loader");
  EXPECT_EQ(batches[1]->category_name, "decode");
  EXPECT_EQ(batches[1]->payload.type, "int64");
  EXPECT_EQ(batches[1]->payload.integer, 1);
  EXPECT_TRUE(batches[1]->registered);
  std::string names;
  for (const auto* event : set.names) names += event->phase + ":" + event->name + " ";
  EXPECT_EQ(names, "category:io domain:test.loader string:batch category:decode ");

  const Range& across = find(set, "across");
  EXPECT_EQ(across.kind, Range::Kind::free);
  EXPECT_EQ(across.end_thread, find(set, "on the other thread").thread);
  EXPECT_NE(across.end_thread, across.thread);
  EXPECT_TRUE(find(set, "never ends").open);
  EXPECT_EQ(std::count_if(set.ranges.begin(), set.ranges.end(), [](const Range& r) { return r.open; }), 1);
}

TEST(Nvtx, RangesStandInTheTraceOfTheSimulatedRuntime) {
  const auto file = trace_of(PROGRAM_WITH_CUDA);
  EXPECT_EQ(file.header.device, "simulated");
  expect_ranges(file);
  const auto set = timeline::ranges_of(file.events);
  // Virtual time: exactly what was declared, and nothing for the range itself.
  EXPECT_EQ(find(set, "batch").end_ns - find(set, "batch").begin_ns, 100'000);
  EXPECT_EQ(find(set, "unnamed").end_ns, find(set, "unnamed").begin_ns);
  const Range& upload = find(set, "upload");
  std::string calls;
  std::vector<const trace::Event*> events;
  for (const auto& event : file.events) {
    events.push_back(&event);
    if (upload.holds(event) && !event.api.empty()) calls += event.api + " ";
  }
  EXPECT_EQ(calls, "cudaMalloc cudaMemcpy ");
  const auto projection = timeline::project(upload, events);
  EXPECT_EQ(projection.copies, 1);
  EXPECT_GT(projection.busy, 0);
}

TEST(Nvtx, AProgramWithoutCudaGetsATraceOfItsOwn) {
  const auto file = trace_of(PROGRAM_PLAIN);
  EXPECT_EQ(file.header.device, "none");
  EXPECT_FALSE(file.header.modelled);
  expect_ranges(file);
}

}  // namespace
}  // namespace workbook
