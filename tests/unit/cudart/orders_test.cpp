// Missing edges between streams: found in every schedule, and in none where nothing is missing.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "trace/reader.h"

namespace workbook {
namespace {

struct Looked {
  std::map<std::string, bool> right;                      // by schedule
  std::map<std::string, std::vector<std::string>> found;  // kinds of faults
  std::string text;                                       // of the first fault
};

Looked look_at(const std::string& program, const std::string& schedule = {}) {
  const std::string trace = WORKBOOK_PROGRAMS "/orders_" + program + schedule + ".trace";
  const std::string line = "WORKBOOK_QUIET=1 WORKBOOK_TRACE_FD=9 LD_LIBRARY_PATH='" WORKBOOK_SIMULATED
                           "' timeout 120 '" WORKBOOK_PROGRAMS "/cudart_orders' " +
                           program + " " + schedule + " 9>'" + trace + "' 2>&1";
  FILE* const pipe = popen(line.c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  for (std::size_t got; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.append(buffer.data(), got);
  EXPECT_EQ(pclose(pipe), 0) << output;
  Looked looked;
  std::istringstream lines(output);
  std::string name;
  for (int right = 0; lines >> name >> right;) looked.right[name] = right == 1;
  std::string region;
  for (const auto& event : trace::read_trace(trace).events) {
    if (event.kind == trace::EventKind::note && event.name == "region") region = event.text;
    if (event.kind != trace::EventKind::fault) continue;
    looked.found[region].push_back(nlohmann::json::parse(event.detail_json).value("kind", ""));
    if (looked.text.empty()) looked.text = event.text;
  }
  return looked;
}

class Right : public testing::TestWithParam<const char*> {};
TEST_P(Right, NothingIsFoundAndEverySchedulesValuesAreRight) {
  const Looked looked = look_at(std::string("right_") + GetParam());
  EXPECT_EQ(looked.right.size(), 11u);
  for (const auto& [schedule, right] : looked.right) EXPECT_TRUE(right) << schedule;
  EXPECT_TRUE(looked.found.empty()) << looked.found.begin()->first << ": " << looked.text;
}
INSTANTIATE_TEST_SUITE_P(Orders, Right,
                         testing::Values("pipeline", "halves", "columns", "counter", "shared_input",
                                         "host_asks", "legacy", "destroyed", "two_threads", "host_functions",
                                         "stream_ordered", "refilled"),
                         [](const auto& one) { return std::string(one.param); });

class Wrong : public testing::TestWithParam<std::pair<const char*, const char*>> {};
TEST_P(Wrong, IsFoundInEverySchedule) {
  const auto [program, kind] = GetParam();
  const Looked looked = look_at(program);
  EXPECT_EQ(looked.right.size(), 11u);
  for (const auto& [schedule, right] : looked.right) {
    const auto found = looked.found.find(schedule);
    ASSERT_NE(found, looked.found.end()) << schedule;
    EXPECT_EQ(found->second.front(), kind) << schedule;
  }
}
INSTANTIATE_TEST_SUITE_P(
    Orders, Wrong,
    testing::Values(std::pair{"no_copied", "unordered"}, std::pair{"no_used", "unordered"},
                    std::pair{"no_done", "unordered"}, std::pair{"overlapping_halves", "unordered"},
                    std::pair{"nonblocking_legacy", "unordered"}, std::pair{"no_drained", "unordered"},
                    std::pair{"memory_of_another_stream", "unordered"},
                    std::pair{"event_before_record", "unordered"}, std::pair{"one_event", "unordered"},
                    std::pair{"two_writers", "unordered"}, std::pair{"refilled_early", "source_changed"}),
    [](const auto& one) { return std::string(one.param.first); });

// The values alone show it too, in the schedule made for it: what a GPU can show.
TEST(Orders, SchedulesMakeValuesWrong) {
  const std::map<std::string, std::vector<std::string>> where{{"no_copied", {"first1"}},
                                                              {"no_used", {"first0"}},
                                                              {"no_done", {"first2"}},
                                                              {"no_drained", {"first1"}},
                                                              {"nonblocking_legacy", {"late", "first-1"}},
                                                              {"event_before_record", {"first1"}},
                                                              {"one_event", {"first1"}},
                                                              {"two_writers", {"first2"}},
                                                              {"refilled_early", {"late"}},
                                                              {"read_back_early", {"modelled", "late"}}};
  for (const auto& [program, schedules] : where) {
    const Looked looked = look_at(program);
    for (const std::string& schedule : schedules)
      EXPECT_FALSE(looked.right.at(schedule)) << program << " " << schedule;
  }
}

// The release that comes too early is found where the kernel came first by luck, and where it did not.
TEST(Orders, MemoryFreedInFlight) {
  EXPECT_EQ(look_at("freed_in_flight", "modelled").found.at("modelled").front(), "use_after_free");
  EXPECT_EQ(look_at("freed_in_flight", "early").found.at("early").front(), "unordered");
  EXPECT_EQ(look_at("freed_in_flight", "first0").found.at("first0").front(), "use_after_free");
}

TEST(Orders, TheSentenceNamesBothAndTheirStreams) {
  const std::string text = look_at("no_copied").text;
  EXPECT_EQ(
      text,
      "kernel add in stream 2 reads memory that the copy in stream 1 writes, and nothing makes one wait for "
      "the other.");
}

}  // namespace
}  // namespace workbook
