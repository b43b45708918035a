// 6.2: ranges in a domain of their own, with categories that are named once, registered texts, and the
// batch's number as a payload.
#include <workbook/check.h>

#include <map>

#include "ranges.h"

using namespace workbook;
using namespace nvtx_chapter;

EXERCISE("6.2",
         "Ranges of a loader in a domain of their own, with categories, payloads and registered texts.")

namespace {

constexpr const char* domain = "workbook.loader";

struct StepOfBatch {
  const char* name;
  const char* category;
  double least_us;  // what its work takes
};
constexpr StepOfBatch steps[] = {{"read", "reading", 160}, {"decode", "decoding", 80}};

std::string called(const std::vector<Range>& ranges) {
  std::string text;
  for (std::size_t i = 0; i < ranges.size() && i < 6; ++i)
    text += fmt::format("{}\"{}\"", i > 0 ? ", " : "", ranges[i].name);
  return ranges.empty() ? "There are no ranges at all."
                        : fmt::format("The ranges are called {}{}", text, ranges.size() > 6 ? ", ..." : ".");
}

void expect_count(const Result& result, const StepOfBatch& step, int batches) {
  const auto found = result.trace().ranges(step.name);
  std::vector<std::string> evidence = {called(result.trace().ranges())};
  const auto& all = result.trace().ranges();
  if (std::any_of(all.begin(), all.end(),
                  [](const Range& r) { return r.name.find("version") != r.name.npos; }))
    evidence.push_back("A tool reads attributes only when they say which version and size they have.");
  const auto count = static_cast<int>(found.size());
  if (count == 0)
    result.fail({"no_range", fmt::format("no range is called {}.", step.name), evidence,
                 "What stays the same for all batches, and what differs?"});
  result.expect_that(
      count == batches,
      {"count", fmt::format("{} ranges are called {}, and there are {} batches.", count, step.name, batches),
       evidence, "How many ranges does one step of one batch have?"});
}

void expect_domain(const Result& result, const Range& range) {
  result.expect_that(range.domain == domain,
                     {"domain",
                      fmt::format("{} is in the domain \"{}\".", words(range), range.domain),
                      {fmt::format("asked for: \"{}\"; a domain without a name is the default one.", domain)},
                      "Which type says in which domain a range is?"});
}

void expect_category(const Result& result, const Range& range, const StepOfBatch& step) {
  result.expect_that(
      range.category_id != 0,
      {"no_category", fmt::format("{} has no category.", words(range)), {}, "Which attribute is missing?"});
  result.expect_that(
      !range.category.empty(),
      {"category_without_name",
       fmt::format("{} has category {}, and nobody has named it.", words(range), range.category_id),
       {fmt::format("Category {} of another domain is another category.", range.category_id)},
       "Who tells the tool what this number means, in this domain?"});
  result.expect_that(
      range.category == step.category,
      {"category",
       fmt::format("{} is in the category {}, expected {}.", words(range), range.category, step.category),
       {},
       "Which category belongs to which step?"});
}

void expect_payload(const Result& result, const Range& range, int batch) {
  const auto& payload = range.payload;
  result.expect_that(!payload.type.empty(), {"no_payload",
                                             fmt::format("{} has no payload.", words(range)),
                                             {},
                                             "Where does the number of the batch go?"});
  result.expect_that(
      payload.type == "int64",
      {"payload_type",
       fmt::format("the payload of {} is of type {}, expected int64.", words(range), payload.type),
       {"A tool does not convert: who looks for an int64 does not find it."},
       "Of which type is the number that you give?"});
  result.expect_that(payload.integer == batch, {"payload",
                                                fmt::format("the payload of {} is {}, expected {}.",
                                                            words(range), payload.integer, batch),
                                                {},
                                                "Which number has the first batch?"});
}

// The strings and names that were told to the tool, by text.
void expect_told_once(const Result& result, const char* what, const char* code, const char* headline) {
  std::map<std::string, int> told;
  for (const RangeName& name : result.trace().range_names()) {
    if (name.what == what) ++told[name.name];
  }
  for (const auto& [text, times] : told) {
    result.expect_that(times <= 1,
                       {code,
                        fmt::format("\"{}\" was {} {} times.", text, headline, times),
                        {"Each time, the tool looks for the text in a table, under a lock."},
                        "What is done in each turn of the loop, and what could be done before it?"});
  }
}

std::vector<Range> of_step(const Result& result, const StepOfBatch& step) {
  return result.trace().ranges(step.name);
}

Result run(int batches, int size) {
  Inputs inputs(static_cast<std::uint64_t>(batches));
  const auto count = static_cast<std::size_t>(batches * size);
  const auto disk = inputs.bytes("disk", count);
  Run run("load_batches");
  run.say("{} batches", batches).value("batches", batches).value("size", size).in("disk", disk);
  Result result = run.out<float>("out", count).go();
  result.expect_clean();
  std::vector<float> expected;
  for (const auto byte : disk) expected.push_back(static_cast<float>(byte) / 255.0f);
  result.expect("out", expected, within(1e-6));
  return result;
}

void expect_ranges(const Result& result, int batches) {
  for (const StepOfBatch& step : steps) expect_count(result, step, batches);
  expect_balanced(result);
  for (const StepOfBatch& step : steps) {
    const auto ranges = of_step(result, step);
    for (const Range& range : ranges) expect_domain(result, range);
    for (const Range& range : ranges) expect_category(result, range, step);
    for (int b = 0; b < batches; ++b) {
      const Range& range = ranges[static_cast<std::size_t>(b)];
      expect_payload(result, range, b);
      result.expect_that(range.registered,
                         {"not_registered",
                          fmt::format("the text of {} is not registered.", words(range)),
                          {"The tool copies a text that is not registered, in every range anew."},
                          "What can be given instead of a text?"});
      result.expect_that(range.us() > step.least_us,
                         {"empty",
                          fmt::format("{} is {:.1f} us long; its work takes more.", words(range), range.us()),
                          {"A range that belongs to no variable ends in the line in which it begins."},
                          "How long does the object live that ends this range?"});
    }
  }
  expect_told_once(result, "category", "named_again", "named as a category");
  expect_told_once(result, "string", "registered_again", "registered");
}

}  // namespace

CHECK_CASE(five_batches) {
  expect_ranges(run(5, 12), 5);
  passed("every range has its domain, category, payload and text");
}

CHECK_CASE(many_batches) {
  const Result result = run(100, 7);
  expect_ranges(result, 100);
  // Read and decode take turns.
  const auto read = result.trace().ranges("read"), decode = result.trace().ranges("decode");
  for (std::size_t b = 0; b < read.size(); ++b) {
    const bool after = decode[b].begin_us >= read[b].end_us;
    const bool before_next = b + 1 == read.size() || decode[b].end_us <= read[b + 1].begin_us;
    result.expect_that(after && before_next,
                       {"order",
                        fmt::format("read and decode of batch {} are there at the same time.", b),
                        {},
                        "In which braces does each of your ranges live?"});
  }
  passed("200 ranges, and each name told once");
}

CHECK_CASE(no_batches) {
  const Result result = run(0, 7);
  result.expect_that(
      result.trace().ranges().empty(),
      {"count", "there is a range, and there are no batches.", {}, "What is this range around?"});
  passed("nothing for no batches");
}
