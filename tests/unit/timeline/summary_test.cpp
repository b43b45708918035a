// The words and the pictures: each cause has its sentence, and no name in a trace can break a file.
#include "timeline/summary.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "timeline/chrome.h"
#include "timeline/html.h"
#include "timeline/rows.h"
#include "trace_maker.h"

namespace workbook::timeline {
namespace {

using trace::EventKind;
using trace::MemoryKind;

Summary summary_of(const TraceMaker& t) {
  static std::vector<trace::Event> events;
  events = t.events();
  const Timeline timeline(events);
  return summarize(timeline, {}, {});
}

TEST(Summary, WithoutWorkItSaysSo) {
  TraceMaker t;
  t.call(EventKind::sync, "cudaDeviceSynchronize", 0, 1);
  EXPECT_NE(summary_of(t).headline.find("nothing to do"), std::string::npos);
}

TEST(Summary, AWellUsedDeviceIsCalledThat) {
  TraceMaker t;
  t.kernel("hot", 0, 10, 500);
  t.kernel("cold", 3, 505, 510);
  const Summary s = summary_of(t);
  EXPECT_NE(s.headline.find("well used"), std::string::npos) << s.headline;
  ASSERT_EQ(s.advice.size(), 1u);
  EXPECT_NE(s.advice[0].find("hot"), std::string::npos);
}

TEST(Summary, TheLargestCauseComesFirstAndSmallOnesLater) {
  TraceMaker t;
  double at = 0;
  for (int i = 0; i < 5; ++i, at += 100) {
    t.kernel("k", at, at + 3, at + 10);
    t.call(EventKind::sync, "cudaDeviceSynchronize", at + 3, at + 60).frames = {7};
    t.call(EventKind::alloc, "cudaMalloc", at + 60, at + 95);
  }
  t.kernel("k", at, at + 3, at + 10);
  const Summary s = summary_of(t);
  ASSERT_GE(s.causes.size(), 1u);
  EXPECT_EQ(s.causes[0].gaps, 5u);
  EXPECT_NE(s.headline.find("A synchronise in the loop"), std::string::npos) << s.headline;
  EXPECT_NE(s.headline.find("called 5 times"), std::string::npos) << s.headline;
}

TEST(Summary, FirstUseIsNoFaultOfTheLaunch) {
  TraceMaker t;
  t.copy(MemoryKind::pinned, 0, 3, 10);
  trace::Event& note = t.call(EventKind::note, "", 11, 480);
  note.name = "overhead";
  note.detail_json = R"({"kind":"module_load"})";
  t.kernel("k", 10, 500, 510);
  const Summary s = summary_of(t);
  ASSERT_FALSE(s.causes.empty());
  EXPECT_EQ(s.causes[0].cause, Cause::first_use);
}

TEST(Words, HaveThreeFiguresAndAUnit) {
  EXPECT_EQ(time_words(18), "18 ns");
  EXPECT_EQ(time_words(4'210), "4.21 us");
  EXPECT_EQ(time_words(99'960), "100 us");
  EXPECT_EQ(time_words(999'600), "1.00 ms");
  EXPECT_EQ(time_words(12'345'678'901), "12.3 s");
  EXPECT_EQ(bytes_words(1536), "1.5 KiB");
  EXPECT_EQ(percent(0.004), "0.4 %");
}

// Names that would end a script, a string or a tag.
TraceMaker hostile() {
  TraceMaker t;
  const auto range = t.push("</script><script>alert(1)</script>", 0);
  t.kernel("a<b, \"c\">&", 1, 5, 9);
  t.pop(range, 4);
  t.push("\xff broken UTF-8", 5);
  return t;
}

TEST(Files, SurviveHostileNames) {
  const auto events = hostile().events();
  const Timeline timeline(events);
  const Summary summary = summarize(timeline, {}, {});
  const std::string page = html_page("<title>", {{"", &timeline, &summary}});
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("a<b"), std::string::npos);
  EXPECT_NE(page.find("&lt;title&gt;"), std::string::npos);
  const auto json = nlohmann::json::parse(chrome_json(timeline, {}));
  EXPECT_GT(json.at("traceEvents").size(), 5u);
}

TEST(Files, StaySmallWhateverTheProgramDid) {
  TraceMaker t;
  for (int i = 0; i < 60'000; ++i) t.kernel("k", 4.0 * i, 4.0 * i + 3, 4.0 * i + 4);
  const auto events = t.events();
  const Timeline timeline(events);
  std::size_t bars = 0;
  for (const Row& row : rows_of(timeline)) {
    for (const auto& lane : row.lanes) {
      EXPECT_LE(lane.size(), most_bars);
      bars += lane.size();
    }
  }
  EXPECT_GT(bars, 10'000u);
  const Summary summary = summarize(timeline, {}, {});
  EXPECT_LT(html_page("large", {{"", &timeline, &summary}}).size(), 5'000'000u);
}

}  // namespace
}  // namespace workbook::timeline
