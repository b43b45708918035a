#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/bench.h"

namespace workbook::cli {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

ordered_json found() {
  return ordered_json::parse(R"({"schema": "workbook-bench/1", "file": "dir/scale.cu", "date": "2026-11-30",
    "device": "gpu", "device_name": "NVIDIA H200", "profile": "", "modelled": false,
    "roof": {"gigabytes_per_second": 4193, "gigaflops": 60000},
    "machine": {"clocks_seen": true, "lowest_mhz": 1755, "highest_mhz": 1980, "most_mhz": 1980,
                "throttled": ["power limit"], "other_processes": 2, "driver": "580"}})");
}

std::size_t widest(const std::string& page) {
  std::istringstream lines(page);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) {
    std::size_t columns = 0;
    for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
    most = std::max(most, columns);
  }
  return most;
}

// The page's words, wherever its lines end.
std::string running(const std::string& page) {
  std::istringstream words(page);
  std::string text;
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  return text;
}

TEST(BenchPage, TimesHaveThreeDigits) {
  EXPECT_EQ(time_words(0.5), "0.50 us");
  EXPECT_EQ(time_words(9.996), "10.0 us");
  EXPECT_EQ(time_words(235.87), "236 us");
  EXPECT_EQ(time_words(1846.18), "1.85 ms");
  EXPECT_EQ(time_words(2.5e6), "2.50 s");
}

TEST(BenchPage, OneBenchmark) {
  ordered_json all = found();
  all["benchmarks"] = ordered_json::array();
  all["benchmarks"].push_back(ordered_json::parse(R"({"name": "a_benchmark_with_a_long_name", "parameters":
    {"n": 67108864, "block": 256}, "cache": "cold", "us": 235.87, "low_us": 235, "high_us": 237, "noise": 0.08,
    "drift": 0.031, "samples": 25, "runs_per_sample": 1, "host_us": 300, "warm_up": {"runs": 20, "settled": false},
    "gigabytes_per_second": 3414, "share_of_memory_roof": 0.814})"));
  all["benchmarks"].push_back(
      {{"name", "broken"}, {"parameters", ordered_json::object()}, {"error", "its first run: x"}});
  const std::string page = bench_page(all);
  for (const char* words :
       {"scale.cu", "NVIDIA H200, 2026-11-30", "236 us", "0.4 %", "3414 GB/s, 81 % of the roof",
        "failed: its first run: x", "never settled", "noisy", "drifted by 3.1 %", "waits for the host",
        "held down by: power limit", "2 other processes", "measured now: 4193 GB/s"})
    EXPECT_THAT(running(page), HasSubstr(words));
  EXPECT_LE(widest(page), 80u) << page;
}

TEST(BenchPage, OneComparison) {
  ordered_json all = found();
  all["against"] = "old.cu";
  all["comparisons"] = ordered_json::array();
  all["comparisons"].push_back(
      ordered_json::parse(R"({"name": "scale", "parameters": {"n": 1}, "cache": "hot", "us": 97,
    "against_us": 100, "ratio": 0.97, "low": 0.966, "high": 0.975, "verdict": "faster", "pairs": 83, "noise": 0.01,
    "against_noise": 0.01, "drift": 0.0})"));
  all["comparisons"].push_back({{"name", "lost"}, {"skipped", "the other file has none of that name"}});
  const std::string page = bench_page(all);
  for (const char* words :
       {"against old.cu", "scale n=1, hot", "97.0 us against 100 us: 0.970 of the time",
        "Faster. The ratio is 0.966 to 0.975, for 99 %, by 83 pairs", "not run: the other file"})
    EXPECT_THAT(running(page), HasSubstr(words));
  EXPECT_LE(widest(page), 80u) << page;
}

TEST(BenchPage, AModelIsCalledModelled) {
  ordered_json all = found();
  all["modelled"] = true;
  all["profile"] = "h200@1";
  all["benchmarks"] = ordered_json::array();
  const std::string page = bench_page(all);
  EXPECT_THAT(page, HasSubstr("Modelled, h200@1"));
  EXPECT_THAT(page, HasSubstr("no benchmark of that name"));
  EXPECT_THAT(page, Not(HasSubstr("MHz")));
}

}  // namespace
}  // namespace workbook::cli
