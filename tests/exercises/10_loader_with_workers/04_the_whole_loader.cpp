// 10.4: decoding, copying and steps at the same time, every edge in its place.
#include <workbook/check.h>

#include <algorithm>

#include "feed.h"

using namespace workbook;

EXERCISE("10.4", "Decode, copy and step at the same time, each with another batch, and lose none.")

namespace {

struct Load {
  int batches, workers, slots;
  int bytes = 32 << 10;
  double decode_us = 60;
  int rounds = 20'000;
};

Run run_of(const char* driver, const Load& load) {
  Run run(driver);
  run.say("{} batch{}, {} worker{}, {} slot{}", load.batches, load.batches == 1 ? "" : "es", load.workers,
          load.workers == 1 ? "" : "s", load.slots, load.slots == 1 ? "" : "s");
  run.value("batches", load.batches).value("workers", load.workers).value("slots", load.slots);
  run.value("bytes", load.bytes).value("decode_us", load.decode_us).value("rounds", load.rounds);
  run.out<std::uint64_t>("sums", load.batches);
  return run;
}

Result go(const Load& load, const Schedule& schedule = {}) {
  Run run = run_of("run", load);
  for (const char* name : {"decoded", "where"}) run.out<std::int32_t>(name, load.batches);
  return run.out<std::int32_t>("order", load.batches).schedule(schedule).go();
}

void expect_sums(const Result& result, const Load& load, std::size_t every = 1) {
  const auto sums = result.array<std::uint64_t>("sums");
  std::uint64_t before = 0;
  for (int n = 0; n < load.batches; ++n) {
    const std::uint64_t expected = feed::step(feed::batch(n, load.bytes, every), before);
    if (sums[n] == expected) {
      before = expected;
      continue;
    }
    int other = 0;
    while (other < load.batches && sums[n] != feed::step(feed::batch(other, load.bytes, every), before))
      ++other;
    result.fail({"step",
                 other < load.batches
                     ? fmt::format("step {} worked on batch {}.", n, other)
                     : fmt::format("step {} worked on something that is no batch as a whole.", n),
                 {fmt::format("Batch {} uses slot {}, as batch {} does.", n, n % load.slots, n + load.slots)},
                 "Who could have written to this slot while somebody still read it, and what should have "
                 "held it back?"});
  }
}

void expect_all(const Result& result, const Load& load) {
  // What two workers do to one slot shows in many ways; this is the first of them.
  if (result.has("shared"))
    result.expect_that(result.integer("shared") == 0, {"shared_slot",
                                                       "two workers decoded into one slot at the same time.",
                                                       {},
                                                       "How does a worker get a slot that nobody else has?"});
  result.expect_clean("Who waits for whom, and who wakes them?");
  const auto decoded = result.array<std::int32_t>("decoded"), where = result.array<std::int32_t>("where"),
             order = result.array<std::int32_t>("order");
  for (int n = 0; n < load.batches; ++n) {
    result.expect_that(decoded[n] == 1, {"once",
                                         fmt::format("batch {} was decoded {} times.", n, decoded[n]),
                                         {},
                                         "Which worker takes batch " + std::to_string(n) + "?"});
    result.expect_that(where[n] >= 0, {"not_a_slot",
                                       fmt::format("batch {} was not decoded into a slot.", n),
                                       {"The slots are pinned, and they are all the memory there is to use."},
                                       "Which slot is batch " + std::to_string(n) + "'s?"});
    result.expect_that(order[n] == n,
                       {"order",
                        order[n] < 0 ? fmt::format("step {} was never made.", n)
                                     : fmt::format("step {} was made with batch {}.", n, order[n]),
                        {},
                        "Which batch does the loop wait for next?"});
  }
  result.expect_that(result.integer("steps") == load.batches,
                     {"steps",
                      fmt::format("{} steps were made, expected {}.", result.integer("steps"), load.batches),
                      {},
                      "What ends the loop?"});
  result.expect_that(
      result.integer("active") == 0,
      {"still_running", "run returned while a worker was still decoding.", {}, "Who waits for the threads?"});
  result.expect_that(result.integer("done") == 1,
                     {"returned_early",
                      "run returned while the device was still at work in the slots.",
                      {"The caller frees them next."},
                      "What is the last thing that has to be done, and who waits for it?"});
  expect_sums(result, load);
}

}  // namespace

CHECK_CASE(every_batch) {
  for (const Load& load : {Load{12, 2, 3}, Load{0, 2, 2}, Load{1, 3, 4}, Load{9, 1, 1}, Load{9, 4, 2},
                           Load{16, 4, 7}, Load{10, 1, 3, 64 << 10, 5}}) {
    expect_all(go(load), load);
  }
  passed("every batch through every stage");
}

CHECK_CASE(any_order) {
  const Load load{9, 2, 3};
  const Result plain = go(load);
  expect_all(plain, load);
  const auto schedules = schedules_for(plain.trace());
  for (const Schedule& schedule : schedules) expect_all(go(load, schedule), load);
  passed("right in {} orders that CUDA allows", schedules.size() + 1);
}

CHECK_CASE(no_pause) {
  // The first batch overlaps with nothing; on a GPU more of them cost no time to speak of.
  // There a batch also takes the latency of events and host functions, 60 to 100 us on an H200's machine, and
  // two slots shall still be enough: decode, copy and latency of two batches in 300 us, two steps in 310.
  const Load load =
      on_simulated_device() ? Load{16, 2, 4, 4 << 20, 200, 40'000} : Load{64, 2, 4, 2 << 20, 160, 54'000};
  look_again([&] {
    const Result result = run_of("run_timed", load).time_limit(120).go();
    result.expect_clean();
    expect_sums(result, load, 512);
    result.expect_bound("step");
    const double three = result.number("us.3");
    for (const int slots : {2, 4}) {
      const double us = result.number("us." + std::to_string(slots));
      result.expect_that(
          us <= 1.1 * three,
          {"slots",
           fmt::format("{} slots need {:.1f} ms, and 3 slots {:.1f} ms.", slots, us / 1000, three / 1000),
           {"At most a tenth more is allowed: two slots are enough for a loader that waits nowhere."},
           slots == 2 ? "When is the host half of a slot free again, and when its device half?"
                      : "What costs more with every slot?"});
    }
  });
  passed("within a tenth with 2, 3 and 4 slots");
}
