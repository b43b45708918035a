// 7.2: gaps between the kernels of one device, and what each was waiting for. The right answer looks at every
// nanosecond by itself and knows nothing of sorting.
#include <workbook/check.h>

#include "timeline.h"

using namespace workbook;

EXERCISE("7.2", "Find the gaps between the kernels of a device, and what each of them was waiting for.")

namespace {

enum class What { kernel, copy, api, loader };
constexpr int host = -1;
constexpr const char* what_words[] = {"kernel", "copy", "api", "loader"};
constexpr const char* cause_words[] = {"copy", "loader", "api", "launch"};
// The order of the causes, as sorts of events.
constexpr What order[] = {What::copy, What::loader, What::api};

struct Event {
  What what;
  int device;
  std::int64_t begin, end;
};
struct Gap {
  std::int64_t begin, end, cause;
  bool operator==(const Gap& o) const { return begin == o.begin && end == o.end && cause == o.cause; }
};
struct Record {
  std::vector<Event> events;
  std::int64_t least = 1;
  int device = 0;
};

bool running(const Record& r, What what, std::int64_t at) {
  return std::any_of(r.events.begin(), r.events.end(), [&](const Event& e) {
    return e.what == what && (e.device == r.device || e.device == host) && e.begin <= at && at < e.end;
  });
}

std::int64_t cause(const Record& r, std::int64_t begin, std::int64_t end) {
  for (std::int64_t c = 0; c < 3; ++c) {
    std::int64_t there = 0;
    for (std::int64_t at = begin; at < end; ++at) there += running(r, order[c], at) ? 1 : 0;
    if (2 * there >= end - begin) return c;
  }
  return 3;
}

// Between the first nanosecond with a kernel and the last one, all stretches without.
std::vector<Gap> right_answer(const Record& r) {
  std::int64_t first = INT64_MAX, last = INT64_MIN;
  for (const Event& e : r.events) {
    if (e.what != What::kernel || e.device != r.device) continue;
    first = std::min(first, e.begin);
    last = std::max(last, e.end);
  }
  std::vector<Gap> gaps;
  for (std::int64_t at = first; at < last; ++at) {
    if (running(r, What::kernel, at)) continue;
    const std::int64_t begin = at;
    while (!running(r, What::kernel, at)) ++at;
    if (at - begin >= r.least) gaps.push_back({begin, at, cause(r, begin, at)});
  }
  return gaps;
}

std::string words(const Gap& g) {
  const bool known = g.cause >= 0 && g.cause < 4;
  return fmt::format("[{}, {}) by {}", g.begin, g.end, known ? cause_words[g.cause] : "something else");
}

std::string words(const std::vector<Gap>& gaps) {
  if (gaps.empty()) return "none";
  std::string text;
  for (std::size_t g = 0; g < gaps.size() && g < 6; ++g) text += (g > 0 ? ", " : "") + words(gaps[g]);
  return gaps.size() > 6 ? fmt::format("{} and {} more", text, gaps.size() - 6) : text;
}

std::vector<std::string> picture(const Record& r) {
  std::vector<timeline::Bar> bars;
  for (const Event& e : r.events) {
    const char* what = what_words[static_cast<int>(e.what)];
    bars.push_back(
        {e.device == host ? std::string(what) : fmt::format("{} {}", what, e.device), e.begin, e.end});
  }
  return timeline::draw(bars);
}

Result ask(const std::vector<Record>& records, const std::string& say) {
  std::vector<std::int64_t> event, first = {0}, device, least;
  for (const Record& r : records) {
    for (const Event& e : r.events)
      event.insert(event.end(), {static_cast<std::int64_t>(e.what), e.device, e.begin, e.end});
    first.push_back(static_cast<std::int64_t>(event.size() / 4));
    device.push_back(r.device);
    least.push_back(r.least);
  }
  Run run("find_gaps");
  run.say("{}", say).in("event", event).in("first", first).in("device", device).in("least", least);
  return run.out<std::int64_t>("count", records.size()).out<std::int64_t>("gap", event.size() / 4 * 3).go();
}

void expect_gaps(const Result& result, const Record& r, const std::vector<Gap>& got, std::int64_t count,
                 const char* code, const char* question) {
  const std::vector<Gap> expected = right_answer(r);
  if (count == static_cast<std::int64_t>(expected.size()) && got == expected) return;
  std::vector<std::string> evidence = picture(r);
  if (count != static_cast<std::int64_t>(got.size()))
    evidence.push_back(fmt::format("{} gaps were given", count));
  evidence.push_back(fmt::format("given     {}", words(got)));
  evidence.push_back(fmt::format("expected  {}", words(expected)));
  if (r.least > 1) evidence.push_back(fmt::format("asked for gaps of at least {} ns", r.least));
  // The first gap of which something is wrong.
  std::size_t g = 0;
  while (g < got.size() && g < expected.size() && got[g] == expected[g]) ++g;
  std::string headline = fmt::format("the gaps of device {} are not right.", r.device);
  if (g < got.size() && g < expected.size()) {
    headline = fmt::format("gap {} is {}, expected {}.", g, words(got[g]), words(expected[g]));
  } else if (g < got.size()) {
    headline = fmt::format("{} is no gap of device {}.", words(got[g]), r.device);
  } else if (g < expected.size()) {
    headline = fmt::format("the gap {} is missing.", words(expected[g]));
  }
  result.fail({code, headline, evidence, question});
}

struct Family {
  const char* code;
  const char* words;
  const char* question;
  std::vector<Record> records;
};

constexpr What K = What::kernel, C = What::copy, A = What::api, L = What::loader;

std::vector<Family> gap_families() {
  return {{"one_gap",
           "one gap",
           "When does a gap begin, and when does it end?",
           {{{{K, 0, 2, 5}, {K, 0, 9, 12}}}, {{{K, 0, 2, 5}, {K, 0, 9, 12}, {K, 0, 14, 20}}}}},
          {"edges",
           "before the first kernel and after the last one",
           "Which kernel waited for what happens before the first one? And which one after the last?",
           {{{{L, host, 0, 8}, {C, 0, 8, 10}, {K, 0, 10, 14}, {K, 0, 16, 18}, {C, 0, 18, 25}}},
            {{{C, 0, 0, 4}, {K, 0, 6, 9}, {A, host, 9, 15}}}}},
          {"touching",
           "kernels that touch",
           "How long is the gap between two kernels that touch?",
           {{{{K, 0, 2, 5}, {K, 0, 5, 9}, {K, 0, 11, 13}}}}},
          {"inside",
           "a short kernel runs while a long one does",
           "Which kernels are still running when the short one ends?",
           {{{{K, 0, 2, 12}, {K, 0, 4, 6}, {K, 0, 15, 18}}}, {{{K, 0, 0, 9}, {K, 0, 2, 4}, {K, 0, 7, 13}}}}},
          {"unsorted",
           "kernels in another order",
           "Which kernel is the next one in time?",
           {{{{K, 0, 12, 15}, {K, 0, 0, 3}, {K, 0, 6, 8}}}}},
          {"least",
           "gaps about as long as asked for",
           "Is a gap of exactly that length long enough?",
           {{{{K, 0, 0, 2}, {K, 0, 6, 8}, {K, 0, 13, 15}, {K, 0, 21, 24}}, 5}}},
          {"device",
           "two devices",
           "Whose kernels end a gap of device 0?",
           {{{{K, 0, 0, 4}, {K, 1, 3, 9}, {K, 0, 10, 14}}},
            {{{K, 0, 0, 4}, {K, 1, 3, 9}, {K, 0, 10, 14}, {K, 1, 16, 18}}, 1, 1},
            {{{K, 1, 0, 4}, {K, 1, 8, 9}}}}},
          {"empty",
           "no gap at all",
           "What is there to look at?",
           {{{}}, {{{K, 0, 3, 5}}}, {{{C, 0, 3, 5}, {A, host, 9, 12}}}}}};
}

std::vector<Family> cause_families() {
  return {
      {"loader",
       "the loader works in the gap",
       "What went on while no kernel ran?",
       {{{{K, 0, 0, 4}, {L, host, 4, 14}, {K, 0, 14, 18}}}}},
      {"copy",
       "a copy fills the gap",
       "What went on while no kernel ran?",
       {{{{K, 0, 0, 4}, {C, 0, 5, 13}, {K, 0, 14, 18}}}}},
      {"api",
       "a call of the API fills the gap",
       "What went on while no kernel ran?",
       {{{{K, 0, 0, 4}, {A, host, 3, 13}, {K, 0, 14, 18}}}}},
      {"late",
       "the cause begins after the gap does",
       "For which part of the gap is it there?",
       {{{{K, 0, 0, 4}, {C, 0, 8, 14}, {K, 0, 14, 18}}}, {{{K, 0, 0, 4}, {L, host, 6, 20}, {K, 0, 14, 18}}}}},
      {"priority",
       "two causes in one gap",
       "Which of the two waits for the other?",
       {{{{K, 0, 0, 4}, {A, host, 4, 14}, {L, host, 5, 11}, {K, 0, 14, 18}}},
        {{{K, 0, 0, 4}, {A, host, 4, 14}, {C, 0, 7, 13}, {K, 0, 14, 18}}},
        {{{K, 0, 0, 4}, {C, 0, 4, 10}, {L, host, 4, 14}, {K, 0, 14, 18}}}}},
      {"half",
       "causes that are there for about half of the gap",
       "For how long must a cause be there?",
       {{{{K, 0, 0, 4}, {L, host, 4, 8}, {A, host, 7, 13}, {K, 0, 14, 18}}},
        {{{K, 0, 0, 4}, {C, 0, 4, 9}, {K, 0, 14, 18}}},
        {{{K, 0, 0, 4}, {C, 0, 4, 9}, {K, 0, 15, 18}}},
        {{{K, 0, 0, 4}, {C, 0, 2, 5}, {L, host, 13, 16}, {K, 0, 14, 18}}}}},
      {"outside",
       "a long cause that only touches the gap",
       "Which part of it lies in the gap?",
       {{{{K, 0, 10, 14}, {L, host, 0, 16}, {K, 0, 24, 28}}},
        {{{K, 0, 0, 4}, {C, 0, 12, 40}, {K, 0, 14, 44}}}}},
      {"union",
       "several events of one sort in a gap",
       "In how many nanoseconds is at least one of them there?",
       {{{{K, 0, 0, 4}, {C, 0, 5, 9}, {C, 0, 5, 9}, {K, 0, 14, 18}}},
        {{{K, 0, 0, 4}, {C, 0, 5, 8}, {C, 0, 10, 13}, {A, host, 4, 14}, {K, 0, 14, 18}}},
        {{{K, 0, 0, 4}, {L, host, 4, 8}, {L, host, 6, 8}, {K, 0, 14, 18}}}}},
      {"copy_of_another_device",
       "a copy on another device",
       "Which of these events concern device 0?",
       {{{{K, 0, 0, 4}, {C, 1, 4, 14}, {K, 0, 14, 18}}},
        {{{K, 0, 0, 4}, {C, 1, 4, 14}, {A, host, 4, 14}, {K, 0, 14, 18}}},
        {{{K, 1, 0, 4}, {C, 1, 4, 14}, {L, host, 2, 6}, {K, 1, 14, 18}}, 1, 1}}}};
}

std::vector<Record> random_records() {
  std::vector<Record> all;
  for (int r = 0; r < 600; ++r) {
    Inputs in(static_cast<std::uint64_t>(r));
    const auto count = static_cast<std::size_t>(in.one_of("count", 0, 14));
    const auto what = in.ints("what", count, 0, 5), device = in.ints("device", count, 0, 2);
    const auto begin = in.ints("begin", count, -20, 60), length = in.ints("length", count, 1, 12);
    Record record{{}, in.one_of("least", 1, 6), static_cast<int>(in.one_of("which", 0, 1))};
    for (std::size_t e = 0; e < count; ++e) {
      const What w = what[e] > 3 ? What::kernel : static_cast<What>(what[e]);
      const int where = w == What::api || w == What::loader ? host
                        : device[e] == 2                    ? record.device
                                                            : device[e];
      record.events.push_back({w, where, begin[e], begin[e] + length[e]});
    }
    all.push_back(std::move(record));
  }
  return all;
}

void expect_all(const std::vector<Record>& records, const char* code, const char* about,
                const char* question) {
  const Result result = ask(records, about);
  result.expect_clean("How many kernels does this device have, and which one do you look at first?");
  const auto count = result.array<std::int64_t>("count");
  const auto gap = result.array<std::int64_t>("gap");
  std::size_t first = 0;
  for (std::size_t r = 0; r < records.size(); ++r) {
    std::vector<Gap> got;
    const auto told = std::min(count[r], static_cast<std::int64_t>(records[r].events.size()));
    for (std::int64_t g = 0; g < told; ++g) {
      const std::int64_t* x = gap.data() + 3 * (first + static_cast<std::size_t>(g));
      got.push_back({x[0], x[1], x[2]});
    }
    expect_gaps(result, records[r], got, count[r], code, question);
    first += records[r].events.size();
  }
}

}  // namespace

CHECK_CASE(the_gaps) {
  const auto all = gap_families();
  for (const Family& f : all) expect_all(f.records, f.code, f.words, f.question);
  passed("finds the gaps in {} kinds of records", all.size());
}

CHECK_CASE(the_causes) {
  const auto all = cause_families();
  for (const Family& f : all) expect_all(f.records, f.code, f.words, f.question);
  passed("names the cause in {} kinds of records", all.size());
}

CHECK_CASE(at_random) {
  const auto all = random_records();
  expect_all(all, "some_record", "a record at random",
             "Go through the picture from left to right. Where does your function leave it?");
  passed("right for {} records at random", all.size());
}
