// 6.4: each block logs its own times, and the host finds the waves. The log is compared with the notes that
// the work takes itself (include/workbook/work.cuh), the waves with their definition.
#include <workbook/check.h>

#include <cmath>

using namespace workbook;

EXERCISE("6.4", "Each block logs when it ran and on which SM; the host finds the waves.")

namespace {

constexpr std::uint64_t poison = ~std::uint64_t{0};

struct Line {
  std::uint64_t begin, end, sm;
};
using Log = std::vector<Line>;

struct Launch {
  int threads;
  std::vector<int> rounds;  // of each block
  int blocks() const { return static_cast<int>(rounds.size()); }
  int warps() const { return (threads + 31) / 32; }
};

Log lines(const Result& result, const char* name) {
  const auto raw = result.array<std::uint64_t>(name);
  Log log(raw.size() / 3);
  for (std::size_t i = 0; i < log.size(); ++i) log[i] = {raw[3 * i], raw[3 * i + 1], raw[3 * i + 2]};
  return log;
}

Result run_logged(const Launch& launch, bool warm) {
  const auto blocks = launch.rounds.size();
  Run run("run_logged");
  run.say("{} blocks of {} threads", blocks, launch.threads);
  run.value("threads", launch.threads).value("warm", warm ? 1 : 0).in("rounds", launch.rounds);
  run.out<unsigned long long>("log", 3 * blocks);
  run.out<unsigned long long>("notes", 3 * blocks * static_cast<std::size_t>(launch.warps()));
  return run.go();
}

// What really happened: the earliest beginning and the latest end of a block's warps.
Log truth(const Result& result, const Launch& launch) {
  const Log notes = lines(result, "notes");
  const auto warps = static_cast<std::size_t>(launch.warps());
  Log blocks;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    result.expect_that(notes[i].begin != poison && notes[i].begin != 0,
                       {"no_work",
                        fmt::format("warp {} of block {} did no work.", i % warps, i / warps),
                        {"The work takes notes of its own. There are none of this warp."},
                        "Which threads have to call do_work?"});
    if (i % warps == 0) blocks.push_back(notes[i]);
    blocks.back().begin = std::min(blocks.back().begin, notes[i].begin);
    blocks.back().end = std::max(blocks.back().end, notes[i].end);
  }
  return blocks;
}

// How far a reading may lie from the truth: between the clock's reading and the work there are a few
// instructions, a barrier, and the steps in which the clock counts.
double slack_ns(const Line& block) {
  return 0.25 * static_cast<double>(block.end - block.begin) + (on_simulated_device() ? 60 : 4000);
}

double apart(std::uint64_t said, std::uint64_t is) {
  return said >= is ? static_cast<double>(said - is) : -static_cast<double>(is - said);
}

void expect_clock(const Result& result, std::size_t b, const Line& said, const Line& is) {
  constexpr double minute = 60e9;
  if (std::abs(apart(said.begin, is.begin)) < minute && std::abs(apart(said.end, is.end)) < minute) return;
  const bool lower_half =
      said.begin < (1ull << 32) && std::abs(apart(said.begin, is.begin & 0xffffffffu)) < 1e9;
  if (lower_half) {
    result.fail({"clock_wraps",
                 fmt::format("block {} began at a time below 2^32 ns.", b),
                 {"32 bits of nanoseconds are used up after 4.3 seconds; then they begin at 0 again."},
                 "How wide is %globaltimer, and how wide is everything that its value goes through?"});
  }
  result.fail({"another_clock",
               fmt::format("line {} of the log and the notes of the work are years apart.", b),
               {"%globaltimer counts nanoseconds, and it is the same for all SMs.",
                "clock64() counts cycles of one SM, and begins anywhere."},
               "Which clock did you read?"});
}

void expect_line(const Result& result, std::size_t b, const Line& said, const Line& is) {
  result.expect_that(said.begin != poison && said.end != poison && said.sm != poison,
                     {"not_logged",
                      fmt::format("line {} of the log is poison: it was not written, or not all of it.", b),
                      {},
                      "Which thread writes line b, and is there one in every block?"});
  expect_clock(result, b, said, is);
  const double slack = slack_ns(is), begins = apart(said.begin, is.begin), ends = apart(said.end, is.end);
  const std::string took = fmt::format("its work took {} ns", is.end - is.begin);
  const auto late = [](double ns) {
    return fmt::format("{:.0f} ns {}", std::abs(ns), ns > 0 ? "after" : "before");
  };
  result.expect_that(std::abs(begins) <= slack,
                     {"begin",
                      fmt::format("block {} says that it began {} its work began.", b, late(begins)),
                      {took},
                      "What stands between the beginning of the block and your reading of the clock?"});
  result.expect_that(
      std::abs(ends) <= slack,
      {"end",
       fmt::format("block {} says that it ended {} the last of its warps did.", b, late(ends)),
       {took, "Later warps of the block have up to three times as much to do as the first one."},
       "Whose end does your thread know of when it reads the clock?"});
  result.expect_that(said.sm == is.sm,
                     {"sm",
                      fmt::format("block {} says SM {}; it ran on SM {}.", b, said.sm, is.sm),
                      {},
                      "Who knows on which SM a block runs?"});
}

Log expect_log(const Result& result, const Launch& launch) {
  result.expect_clean("Which threads of a block write to the same line of the log?");
  result.expect_that(result.integer("status") == 0,
                     {"returned_error",
                      fmt::format("run_logged returned {}.", result.text("status_name")),
                      {},
                      "Which launch is refused?"});
  const Log is = truth(result, launch), said = lines(result, "log");
  for (std::size_t b = 0; b < is.size(); ++b) expect_line(result, b, said[b], is[b]);
  return said;
}

// By the definition: waves grow until nothing grows any more.
std::vector<int> right_waves(const Log& log) {
  std::vector<int> wave(log.size(), 0);
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t b = 0; b < log.size(); ++b) {
      for (std::size_t a = 0; a < log.size(); ++a) {
        if (a == b || log[a].sm != log[b].sm || log[a].end > log[b].begin || wave[b] > wave[a]) continue;
        wave[b] = wave[a] + 1;
        grew = true;
      }
    }
  }
  return wave;
}

struct Family {
  const char* code;
  const char* words;
  const char* question;
  std::vector<Log> logs;
};

std::vector<Family> families() {
  return {{"one", "one block", "Did any block end before it began?", {{{10, 20, 0}}}},
          {"two_waves",
           "two blocks on one SM, one after the other",
           "Had a block of this SM ended when the second one began?",
           {{{10, 20, 5}, {22, 30, 5}}}},
          {"touching",
           "a block that begins at the very moment the other ends",
           "When has a block ended?",
           {{{10, 20, 5}, {20, 30, 5}, {30, 41, 5}}}},
          {"other_sm",
           "two SMs",
           "On which SM does a block wait for a place?",
           {{{10, 20, 0}, {10, 25, 1}, {22, 30, 0}, {27, 33, 1}},
            {{10, 15, 0}, {10, 40, 1}, {17, 22, 0}, {24, 30, 0}, {43, 50, 1}},
            {{10, 20, 131}, {30, 40, 64}, {50, 60, 131}}}},
          {"together",
           "several blocks at the same time on one SM",
           "How many of the earlier blocks had ended, and in which waves were they?",
           {{{10, 20, 3}, {10, 21, 3}, {22, 30, 3}, {23, 31, 3}},
            {{10, 50, 3}, {10, 20, 3}, {20, 30, 3}, {31, 45, 3}, {52, 60, 3}}}},
          {"order",
           "block numbers that do not follow the time",
           "What does the number of a block say of its time?",
           {{{40, 50, 2}, {10, 20, 2}, {25, 35, 2}}, {{22, 30, 7}, {33, 40, 7}, {10, 20, 7}, {10, 21, 7}}}},
          {"empty", "a log without lines", "How many lines are there?", {{}}}};
}

std::vector<Log> random_logs() {
  std::vector<Log> logs;
  for (int g = 0; g < 300; ++g) {
    Inputs in(static_cast<std::uint64_t>(g));
    const auto count = static_cast<std::size_t>(in.one_of("count", 0, 20));
    const auto begin = in.ints("begin", count, 0, 60), length = in.ints("length", count, 1, 15);
    const auto sm = in.ints("sm", count, 0, 2);
    Log log;
    for (std::size_t b = 0; b < count; ++b) {
      const auto from = static_cast<std::uint64_t>(begin[b]);
      log.push_back({from, from + static_cast<std::uint64_t>(length[b]), static_cast<std::uint64_t>(sm[b])});
    }
    logs.push_back(log);
  }
  return logs;
}

void expect_waves(const std::vector<Log>& logs, const char* code, const char* words, const char* question) {
  std::vector<std::uint64_t> line;
  std::vector<std::int64_t> first = {0};
  for (const Log& log : logs) {
    for (const Line& l : log) line.insert(line.end(), {l.begin, l.end, l.sm});
    first.push_back(static_cast<std::int64_t>(line.size() / 3));
  }
  Run run("waves");
  run.say("{}", words).in("line", line).in("first", first);
  const Result result = run.out<int>("wave", line.size() / 3).out<std::int64_t>("length", logs.size()).go();
  result.expect_clean();
  const auto wave = result.array<int>("wave");
  const auto length = result.array<std::int64_t>("length");
  for (std::size_t g = 0; g < logs.size(); ++g) {
    const Log& log = logs[g];
    result.expect_that(length[g] == static_cast<std::int64_t>(log.size()),
                       {"length",
                        fmt::format("waves gave {} numbers for {} blocks.", length[g], log.size()),
                        {},
                        "How many blocks does the log have?"});
    const std::vector<int> expected = right_waves(log);
    for (std::size_t b = 0; b < log.size(); ++b) {
      const int got = wave[static_cast<std::size_t>(first[g]) + b];
      if (got == expected[b]) continue;
      std::vector<std::string> evidence;
      for (std::size_t k = 0; k < log.size() && k < 12; ++k)
        evidence.push_back(fmt::format("block {:2}  SM {:3}  from {} to {}  wave {}", k, log[k].sm,
                                       log[k].begin, log[k].end, expected[k]));
      result.fail({code, fmt::format("block {} is in wave {}, expected {}.", b, got, expected[b]), evidence,
                   question});
    }
  }
}

// One block of each length has the same work; the simulated device is exact, so a little work is enough.
int rounds() {
  return on_simulated_device() ? 100 : 20'000;
}

}  // namespace

CHECK_CASE(every_block_logs) {
  const std::pair<int, int> shapes[] = {{3, 64}, {1, 1}, {1, 1024}, {5, 33}, {40, 256}, {200, 96}};
  for (const auto& [blocks, threads] : shapes) {
    Launch launch{threads, std::vector<int>(static_cast<std::size_t>(blocks), rounds())};
    for (std::size_t b = 0; b < launch.rounds.size(); ++b)
      launch.rounds[b] += rounds() * static_cast<int>(b % 3);
    expect_log(run_logged(launch, !on_simulated_device()), launch);
  }
  passed("the log is true for {} grids", std::size(shapes));
}

CHECK_CASE(the_waves) {
  const auto all = families();
  for (const Family& f : all) expect_waves(f.logs, f.code, f.words, f.question);
  expect_waves(random_logs(), "some_log", "a log at random",
               "Which blocks of its SM had ended when it began?");
  passed("finds the waves in {} kinds of logs", all.size() + 1);
}

CHECK_CASE(more_blocks_than_places) {
  const Result probe = run_logged({32, {1}}, false);
  const int sms = static_cast<int>(probe.integer("sms"));
  // At most two blocks of 1024 threads have room on an SM: two and a half waves, or more.
  const Launch launch{1024, std::vector<int>(static_cast<std::size_t>(5 * sms), rounds() / 2)};
  const Result result = run_logged(launch, !on_simulated_device());
  const Log log = expect_log(result, launch);
  expect_waves({log}, "real_log", "the log of a real grid",
               "Which blocks of its SM had ended when it began?");
  std::vector<int> sizes;
  for (const int wave : right_waves(log)) {
    if (static_cast<std::size_t>(wave) >= sizes.size()) sizes.resize(static_cast<std::size_t>(wave) + 1, 0);
    ++sizes[static_cast<std::size_t>(wave)];
  }
  result.expect_that(sizes.size() >= 2,
                     {"one_wave",
                      fmt::format("all {} blocks are in one wave.", log.size()),
                      {fmt::format("{} SMs, and an SM has room for two of these blocks at most", sms)},
                      "Can a block begin before there is room for it?"});
  passed("{} blocks on {} SMs: waves of {}", log.size(), sms, fmt::join(sizes, ", "));
}
