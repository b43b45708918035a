// Events survive the way to the file and back; a torn line is forgiven, a wrong one is not.
#include "trace/event.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "trace/reader.h"
#include "trace/writer.h"

namespace workbook::trace {
namespace {

Event full_event() {
  Event e;
  e.kind = EventKind::kernel;
  e.id = 7;
  e.api = "cudaLaunchKernel";
  e.result = 700;
  e.result_name = "cudaErrorIllegalAddress";
  e.thread = 2;
  e.stream = 3;
  e.host_begin_ns = 10;
  e.host_end_ns = 20;
  e.device_begin_ns = 15;
  e.device_end_ns = 9'000'000'000;
  e.address = 0xffff'ffff'ffff'fff0u;
  e.source = 12;
  e.bytes = 1ull << 40;
  e.from = MemoryKind::pinned;
  e.to = MemoryKind::device;
  e.direction = "HostToDevice";
  e.asynchronous = true;
  e.name = "saxpy";
  e.grid = {4, 5, 6};
  e.block = {256, 1, 1};
  e.dynamic_shared = 1024;
  e.static_shared = 16;
  e.registers = 20;
  e.bound_by = "DRAM bandwidth";
  e.counter_names = {"launch__grid_size", "smsp__inst_executed.sum"};
  e.counter_values = {120, 99};
  e.text = "a \"text\"\nwith lines";
  e.detail_json = R"({"kind":"out_of_bounds"})";
  e.frames = {0x1234, 0x5678};
  return e;
}

TEST(Event, SurvivesJson) {
  const Event e = full_event();
  const Event back = event_from_json(nlohmann::json::parse(to_json(e).dump()));
  EXPECT_EQ(to_json(back), to_json(e));
  EXPECT_EQ(back.address, e.address);
  EXPECT_EQ(back.device_end_ns, e.device_end_ns);
  EXPECT_EQ(back.from, MemoryKind::pinned);
  EXPECT_EQ(back.counter_values, e.counter_values);
  EXPECT_EQ(back.text, e.text);
  EXPECT_EQ(back.detail_json, e.detail_json);
  EXPECT_EQ(back.frames, e.frames);
}

TEST(Event, WhatIsNotKnownIsNotWritten) {
  Event e;
  e.kind = EventKind::note;
  e.id = 1;
  EXPECT_EQ(to_json(e).dump(), R"({"id":1,"kind":"note"})");
  EXPECT_EQ(event_from_json(to_json(e)).device_begin_ns, -1);
}

TEST(Event, EveryKindHasAName) {
  for (int kind = 0; kind <= static_cast<int>(EventKind::note); ++kind) {
    Event e;
    e.kind = static_cast<EventKind>(kind);
    EXPECT_EQ(event_from_json(to_json(e)).kind, e.kind);
  }
}

TEST(Event, BadUtf8IsReplacedNotThrown) {
  const std::string path = std::string(WORKBOOK_SCRATCH) + "/utf8.trace";
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
  TraceWriter writer(fd);
  writer.start({});
  Event e;
  e.kind = EventKind::output;
  e.text = "\xff\xfe";
  writer.add(e);
  close(fd);
  EXPECT_EQ(read_trace(path).events.size(), 1u);
}

TEST(Event, WrongShapesThrow) {
  EXPECT_THROW(event_from_json(nlohmann::json::parse("{}")), std::runtime_error);
  EXPECT_THROW(event_from_json(nlohmann::json::parse(R"({"kind":"dance"})")), std::runtime_error);
  EXPECT_THROW(event_from_json(nlohmann::json::parse(R"({"kind":"copy","bytes":"many"})")),
               std::runtime_error);
  EXPECT_THROW(header_from_json(nlohmann::json::parse(R"({"schema":"other/1"})")), std::runtime_error);
}

TEST(Trace, WriterAndReaderAgree) {
  const std::string path = std::string(WORKBOOK_SCRATCH) + "/whole.trace";
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
  setenv("WORKBOOK_TRACE_FD", std::to_string(fd).c_str(), 1);
  TraceWriter writer = TraceWriter::from_environment();
  ASSERT_TRUE(writer.active());
  writer.start(
      {.device = "simulated", .device_name = "D", .profile = "h200@1", .modelled = true, .executable = "x"});
  writer.add(full_event());
  const TraceFile file = read_trace(path);  // before the descriptor closes: nothing is held back
  close(fd);
  ASSERT_TRUE(file.has_header);
  EXPECT_EQ(file.header.profile, "h200@1");
  EXPECT_TRUE(file.header.modelled);
  ASSERT_EQ(file.events.size(), 1u);
  EXPECT_EQ(to_json(file.events[0]), to_json(full_event()));
}

TEST(Trace, NobodyListens) {
  for (const char* value : {"", "-1", "999999", "x"}) {
    setenv("WORKBOOK_TRACE_FD", value, 1);
    EXPECT_FALSE(TraceWriter::from_environment().active()) << value;
  }
  TraceWriter nobody;
  nobody.start({});
  nobody.add(full_event());
}

TEST(Trace, TornLastLineIsForgiven) {
  const std::string header = to_json(Header{}).dump() + "\n";
  const std::string event = to_json(full_event()).dump() + "\n";
  const TraceFile whole = parse_trace(header + event + event.substr(0, 40));
  EXPECT_TRUE(whole.torn);
  EXPECT_EQ(whole.events.size(), 1u);
  EXPECT_FALSE(parse_trace("").has_header);
  EXPECT_THROW(parse_trace(header + event.substr(0, 40) + "\n" + event), std::runtime_error);
  EXPECT_THROW(parse_trace(event), std::runtime_error);
  EXPECT_THROW(read_trace("/nonexistent/trace"), std::runtime_error);
}

}  // namespace
}  // namespace workbook::trace
