// 7.1: the union of intervals over a window. Small timelines are compared with a count of single nanoseconds,
// which knows nothing of sorting or merging; all of the small ones there are, and large ones at random.
#include <workbook/check.h>

#include <cmath>

#include "timeline.h"

using namespace workbook;

EXERCISE("7.1", "The share of a window in which at least one kernel runs.")

namespace {

struct Interval {
  std::int64_t begin, end;
  std::int64_t length() const { return end - begin; }
};
using Kernels = std::vector<Interval>;

struct Timeline {
  Kernels kernels;
  Interval window;
};

Interval clipped(Interval k, Interval window) {
  const std::int64_t begin = std::max(k.begin, window.begin);
  return {begin, std::max(begin, std::min(k.end, window.end))};
}

// The right answer: how many nanoseconds of the window lie in a kernel, one by one.
std::int64_t counted(const Timeline& t) {
  std::vector<bool> busy(static_cast<std::size_t>(t.window.length()), false);
  for (const Interval& kernel : t.kernels) {
    const Interval k = clipped(kernel, t.window);
    for (std::int64_t at = k.begin; at < k.end; ++at)
      busy[static_cast<std::size_t>(at - t.window.begin)] = true;
  }
  return std::count(busy.begin(), busy.end(), true);
}

// What a wrong number would mean; empty when none of these fits.
std::string theory(const Timeline& t, std::int64_t got) {
  std::int64_t sum = 0, clipped_sum = 0;
  Interval hull{INT64_MAX, INT64_MIN};
  for (const Interval& k : t.kernels) {
    sum += k.length();
    clipped_sum += clipped(k, t.window).length();
    hull = {std::min(hull.begin, k.begin), std::max(hull.end, k.end)};
  }
  if (t.kernels.empty()) return {};
  const bool reaches_out = hull.begin < t.window.begin || hull.end > t.window.end;
  if (reaches_out && got == counted({t.kernels, hull}))
    return "That is the time of all kernels, also outside of the window.";
  if (got == clipped_sum || got == sum) return "That is the sum of all durations.";
  if (got == clipped(hull, t.window).length() || got == hull.length())
    return "That is the time from the first beginning to the last end.";
  return {};
}

std::vector<std::string> picture(const Timeline& t) {
  std::vector<timeline::Bar> bars = {{"window", t.window.begin, t.window.end}};
  for (const Interval& k : t.kernels) bars.push_back({"kernel", k.begin, k.end});
  return timeline::draw(bars);
}

Result ask(const std::vector<Timeline>& timelines, const std::string& say) {
  std::vector<std::int64_t> begin, end, first = {0}, window;
  for (const Timeline& t : timelines) {
    for (const Interval& k : t.kernels) {
      begin.push_back(k.begin);
      end.push_back(k.end);
    }
    first.push_back(static_cast<std::int64_t>(begin.size()));
    window.push_back(t.window.begin);
    window.push_back(t.window.end);
  }
  Run run("busy");
  run.say("{}", say).in("begin", begin).in("end", end).in("first", first).in("window", window);
  return run.out<std::int64_t>("busy_ns", timelines.size()).out<double>("busy", timelines.size()).go();
}

void expect_time(const Result& result, const Timeline& t, std::int64_t got, std::int64_t expected,
                 const char* code, const char* question) {
  if (got == expected) return;
  std::vector<std::string> evidence = picture(t);
  if (const std::string why = theory(t, got); !why.empty()) evidence.push_back(why);
  result.fail({code, fmt::format("busy_ns is {}, expected {}.", got, expected), evidence, question});
}

void expect_share(const Result& result, const Timeline& t, double got, std::int64_t ns) {
  const std::int64_t window = t.window.length();
  if (window == 0) {
    result.expect_that(got == 0,
                       {"empty_window", fmt::format("busy is {} for a window of no length, expected 0.", got),
                        picture(t), "What do you divide by?"});
    return;
  }
  const double expected = static_cast<double>(ns) / static_cast<double>(window);
  if (std::abs(got - expected) <= 1e-12) return;
  std::vector<std::string> evidence = picture(t);
  evidence.push_back(fmt::format("busy_ns is {} of the window's {}", ns, window));
  if (std::abs(got - 100 * expected) < 1e-9)
    result.fail({"percent", fmt::format("busy is {}, expected {:.4g}.", got, expected), evidence,
                 "What is the largest share there is?"});
  if (got == 0 || got == 1)
    evidence.push_back(
        "Among whole numbers, 3 / 10 is 0. And a window has a beginning and an end of its own.");
  result.fail({"share", fmt::format("busy is {:.6g}, expected {:.6g}.", got, expected), evidence,
               "Which two numbers do you divide, and of which type are they?"});
}

struct Family {
  const char* code;
  const char* words;
  const char* question;
  std::vector<Timeline> timelines;
};

std::vector<Family> families() {
  constexpr Interval window{0, 20};
  constexpr std::int64_t now = 1'796'000'000'000'000'000;  // a clock that counts from 1970, in nanoseconds
  return {
      {"one", "one kernel", "How long is a kernel from 3 to 8?", {{{{3, 8}}, window}, {{{0, 20}}, window}}},
      {"apart",
       "two kernels with a gap between them",
       "Who works in the gap?",
       {{{{2, 6}, {11, 13}}, window}}},
      {"gap",
       "kernels that touch, and a gap of 1 ns",
       "When does the first kernel end, and when does the next one begin?",
       {{{{2, 5}, {5, 9}}, window}, {{{2, 5}, {6, 9}}, window}, {{{2, 5}, {6, 9}, {10, 13}}, window}}},
      {"overlap",
       "two kernels at the same time",
       "In each nanosecond: is a kernel running, yes or no? Does it matter how many?",
       {{{{2, 9}, {5, 13}}, window}, {{{2, 9}, {2, 9}}, window}}},
      {"inside",
       "one kernel runs while another begins and ends",
       "Up to which moment is everything counted after the short one?",
       {{{{2, 15}, {4, 7}}, window}, {{{2, 15}, {4, 7}, {9, 18}}, window}, {{{2, 8}, {2, 15}}, window}}},
      {"unsorted",
       "kernels in another order",
       "What do you know of the next kernel in the list?",
       {{{{11, 13}, {2, 6}}, window}, {{{10, 14}, {2, 4}, {12, 19}, {3, 6}}, window}}},
      {"clipping",
       "kernels that reach out of the window",
       "Which part of this kernel lies in the window?",
       {{{{-4, 6}}, window},
        {{{15, 31}}, window},
        {{{-7, 33}}, window},
        {{{-9, -2}, {24, 30}}, window},
        {{{-9, 0}, {20, 30}}, window},
        {{{-5, 9}, {7, 26}}, window},
        {{{-5, 9}, {-3, 2}, {18, 26}, {21, 24}}, {4, 20}}}},
      {"empty",
       "no kernels, kernels of no length, a window of no length",
       "Is anything running at all?",
       {{{}, window},
        {{{5, 5}}, window},
        {{{2, 4}, {4, 4}, {9, 9}}, window},
        {{{2, 9}}, {5, 5}},
        {{}, {0, 0}}}},
      {"large_numbers",
       "times as a real record has them",
       "Which types do your numbers go through, and how many digits does each keep?",
       {{{{now + 3, now + 8}, {now + 11, now + 13}}, {now, now + 20}},
        {{{now - 7, now + 2}, {now + 19, now + 77}}, {now, now + 20}}}}};
}

// All timelines of at most two kernels between 0 and 6, and windows between 1 and 5.
std::vector<Timeline> all_small_ones() {
  std::vector<Interval> intervals;
  for (std::int64_t a = 0; a <= 6; ++a)
    for (std::int64_t b = a; b <= 6; ++b) intervals.push_back({a, b});
  std::vector<Timeline> all;
  for (std::int64_t a = 1; a <= 5; ++a) {
    for (std::int64_t b = a; b <= 5; ++b) {
      all.push_back({{}, {a, b}});
      for (const Interval& k : intervals) {
        all.push_back({{k}, {a, b}});
        for (const Interval& l : intervals) all.push_back({{k, l}, {a, b}});
      }
    }
  }
  return all;
}

std::vector<Timeline> random_ones() {
  std::vector<Timeline> all;
  for (int c = 0; c < 400; ++c) {
    Inputs in(static_cast<std::uint64_t>(c));
    const std::size_t count = static_cast<std::size_t>(in.one_of("count", 0, 12));
    const auto begin = in.ints("begin", count, -10, 40), length = in.ints("length", count, 0, 14);
    Timeline t{{}, {in.one_of("from", -3, 10), in.one_of("to", 10, 35)}};
    for (std::size_t k = 0; k < count; ++k) t.kernels.push_back({begin[k], begin[k] + length[k]});
    all.push_back(t);
  }
  return all;
}

void expect_all(const std::vector<Timeline>& timelines, const char* code, const char* words,
                const char* question) {
  const Result result = ask(timelines, words);
  result.expect_clean("How many kernels are there, and which one do you look at first?");
  const auto ns = result.array<std::int64_t>("busy_ns");
  const auto share = result.array<double>("busy");
  for (std::size_t c = 0; c < timelines.size(); ++c) {
    const std::int64_t expected = counted(timelines[c]);
    expect_time(result, timelines[c], ns[c], expected, code, question);
    expect_share(result, timelines[c], share[c], expected);
  }
}

}  // namespace

CHECK_CASE(one_thing_at_a_time) {
  const auto all = families();
  for (const Family& f : all) expect_all(f.timelines, f.code, f.words, f.question);
  passed("right for {} kinds of timelines", all.size());
}

CHECK_CASE(every_small_timeline) {
  const auto all = all_small_ones();
  expect_all(all, "some_timeline", "one of all small timelines",
             "Go through the picture from left to right. Where does your count leave it?");
  passed("right for all {} timelines of up to two kernels", all.size());
}

CHECK_CASE(many_kernels) {
  const auto all = random_ones();
  expect_all(all, "some_timeline", "kernels at random",
             "Go through the picture from left to right. Where does your count leave it?");
  // A long record: 20,000 kernels, one millisecond.
  Inputs in(7);
  const auto begin = in.ints("begin", 20'000, -1000, 1'000'500), length = in.ints("length", 20'000, 0, 60);
  Timeline t{{}, {0, 1'000'000}};
  for (std::size_t k = 0; k < begin.size(); ++k) t.kernels.push_back({begin[k], begin[k] + length[k]});
  expect_all({t}, "some_timeline", "20,000 kernels",
             "Small timelines are right and a long one is not. What grows with the number of kernels?");
  passed("right for {} timelines at random and one of 20,000 kernels", all.size());
}
