// 10.3: the workers decode into pinned slots, and nothing is copied within the host.
#include <workbook/check.h>

#include <algorithm>
#include <set>

#include "feed.h"

using namespace workbook;

EXERCISE("10.3", "Decode into pinned slots and copy from there to the device, with no copy in between.")

namespace {

struct Load {
  int batches, workers, slots;
  int bytes = 64 << 10;
  double decode_us = 300;
};

Run run_of(const char* driver, const Load& load) {
  Run run(driver);
  run.say("{} batch{} of {} KiB, {} worker{}, {} slot{}", load.batches, load.batches == 1 ? "" : "es",
          load.bytes >> 10, load.workers, load.workers == 1 ? "" : "s", load.slots,
          load.slots == 1 ? "" : "s");
  run.value("batches", load.batches).value("workers", load.workers).value("slots", load.slots);
  run.value("bytes", load.bytes).value("decode_us", load.decode_us);
  run.out<std::uint8_t>("all", static_cast<std::size_t>(load.batches) * load.bytes);
  return run;
}

Result go(const Load& load, const Schedule& schedule = {}) {
  Run run = run_of("load", load);
  run.out<std::int32_t>("decoded", load.batches).out<std::int32_t>("where", load.batches);
  return run.schedule(schedule).go();
}

// Which batch lies where batch n should be; -1: none of them as a whole.
int batch_at(const std::vector<std::uint8_t>& all, const Load& load, int n) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(n) * load.bytes;
  for (int other = 0; other < load.batches; ++other) {
    const auto expected = feed::batch(other, load.bytes);
    if (std::equal(expected.begin(), expected.end(), begin)) return other;
  }
  return -1;
}

void expect_batches(const Result& result, const Load& load) {
  result.expect_clean("Who waits for whom, and who wakes them?");
  const auto decoded = result.array<std::int32_t>("decoded");
  result.expect_that(result.integer("outside") == 0,
                     {"no_such_batch",
                      "decode was asked for a batch that there is not.",
                      {},
                      "Which number is the last one, and who notices that it is taken?"});
  for (int n = 0; n < load.batches; ++n) {
    result.expect_that(decoded[n] == 1, {"once",
                                         fmt::format("batch {} was decoded {} times.", n, decoded[n]),
                                         {},
                                         "How does a worker take a number so that no other one gets it?"});
  }
  result.expect_that(result.integer("shared") == 0, {"shared_slot",
                                                     "two workers decoded into one slot at the same time.",
                                                     {},
                                                     "How does a worker get a slot that nobody else has?"});
  result.expect_that(result.integer("active") == 0, {"still_running",
                                                     "load returned while a worker was still decoding.",
                                                     {},
                                                     "Who waits for the threads?"});
  result.expect_that(result.integer("done") == 1,
                     {"returned_early",
                      "load returned before everything was on the device.",
                      {},
                      "What does the caller take for granted when load has returned?"});
  const auto all = result.array<std::uint8_t>("all");
  for (int n = 0; n < load.batches; ++n) {
    const int there = batch_at(all, load, n);
    if (there == n) continue;
    const auto expected = feed::batch(n, load.bytes);
    const auto first = static_cast<std::size_t>(n) * load.bytes;
    std::size_t byte = 0;
    while (all[first + byte] == expected[byte]) ++byte;
    result.fail({"batch",
                 there >= 0 ? fmt::format("where batch {} should be there is batch {}.", n, there)
                            : fmt::format("batch {} is not right from byte {} on.", n, byte),
                 {fmt::format("There are {} slots, and each is filled again and again.", load.slots)},
                 "When may a worker begin to fill a slot again, and who tells it?"});
  }
}

void expect_no_extra_copy(const Result& result, const Load& load) {
  const auto where = result.array<std::int32_t>("where");
  for (int n = 0; n < load.batches; ++n) {
    result.expect_that(where[n] != -2,
                       {"pageable",
                        fmt::format("batch {} was decoded into pageable memory.", n),
                        {"From there it has to be copied once more before the device can have it."},
                        "Where could the worker decode to, so that the device can read it there?"});
    result.expect_that(where[n] >= 0,
                       {"not_a_slot",
                        fmt::format("batch {} was decoded into pinned memory that is none of the slots.", n),
                        {"Pinning costs far more than a copy does: 8.4."},
                        "Which pinned memory is there already?"});
  }
  const auto host = result.trace().copies("host to host");
  result.expect_that(host.empty(), {"host_copy",
                                    fmt::format("{} batches were copied within the host.", host.size()),
                                    {},
                                    "Who copies here, and why is it not yet where it should be?"});
  for (const Step& step : result.trace().copies("host to device")) {
    result.expect_that(step.pinned,
                       {"pageable_copy",
                        "a copy to the device read pageable memory.",
                        {step.line > 0 ? fmt::format("It is the one at line {}.", step.line) : ""},
                        "Which memory did the worker fill?"});
  }
}

}  // namespace

CHECK_CASE(every_batch) {
  for (const Load& load : {Load{12, 4, 4}, Load{7, 1, 1}, Load{9, 3, 1}, Load{10, 2, 5}, Load{1, 4, 2},
                           Load{0, 2, 2}, Load{16, 8, 3}}) {
    expect_batches(go(load), load);
  }
  passed("every batch once, at its place");
}

CHECK_CASE(any_order) {
  const Load load{10, 3, 3, 32 << 10};
  const Result plain = go(load);
  expect_batches(plain, load);
  const auto schedules = schedules_for(plain.trace());
  for (const Schedule& schedule : schedules) expect_batches(go(load, schedule), load);
  passed("right in {} orders that CUDA allows", schedules.size() + 1);
}

CHECK_CASE(without_the_extra_copy) {
  const Load load{12, 4, 4};
  const Result result = go(load);
  expect_batches(result, load);
  expect_no_extra_copy(result, load);
  passed("no byte is copied within the host");
}

CHECK_CASE(faster_than_with_it) {
  const Load load{24, 4, 6, 1 << 20, 100};
  const Result result = run_of("load_timed", load).go();
  result.expect_clean();
  result.expect_bound("one_more_copy");
}
