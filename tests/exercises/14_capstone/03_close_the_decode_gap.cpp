// 14.3: workers decode. Every batch whole and in order, with any number of workers and under every order that
// CUDA allows; 1.6 times the throughput that was found, and kernels at least 85 % of the time.
#include "found.h"

using namespace workbook;
using namespace capstone;

EXERCISE("14.3", "Decode with several threads, and keep the order of the batches.")

namespace {

constexpr int workers = 4;

Result go(const Load& load, const Schedule& schedule = {}) {
  return run_of("run", load).schedule(schedule).go();
}

}  // namespace

CHECK_CASE(every_batch) {
  for (const Load& load : {Load{9, 3}, Load{0, 2}, Load{1, 4}, Load{2, 8}, Load{13, 1},
                           Load{16, 7, {1, 5, 5}, 5}, Load{11, 4, {2, 9, 3}, 300}})
    expect_every_batch(go(load), load);
  passed("every batch whole and in order");
}

CHECK_CASE(side_by_side) {
  const Load load{16, workers, {3, 10, 7}, 1000};
  const Result result = go(load);
  expect_every_batch(result, load);
  result.expect_that(
      result.integer("most_active") >= workers / 2,
      {"one_by_one",
       fmt::format("{} threads were to decode, and never were more than {} batch{} decoded at a time.",
                   workers, result.integer("most_active"), result.integer("most_active") == 1 ? "" : "es"),
       {"Decoding takes far longer than all the rest here, so all of them have something to do."},
       "What does a worker wait for before it decodes, and what does it hold meanwhile?"});
  passed("{} batches are decoded at a time", result.integer("most_active"));
}

CHECK_CASE(any_order) {
  const Load load{10, 3};
  const Result plain = go(load);
  expect_every_batch(plain, load);
  const auto schedules = schedules_for(plain.trace());
  for (const Schedule& schedule : schedules) expect_every_batch(go(load, schedule), load);
  passed("right in {} orders that CUDA allows", schedules.size() + 1);
}

CHECK_CASE(pinned_sources) {
  const Load load{16, workers};
  const Result result = go(load);
  expect_every_batch(result, load);
  expect_pinned(result, load);
  passed("every batch is copied from pinned memory");
}

CHECK_CASE(as_fast_as_the_device) {
  expect_cores(workers);
  look_again([&] {
    const Result result = Run("run_timed").value("workers", workers).device_times().time_limit(240).go();
    const Both both = expect_whole_work(result);
    expect_no_extra_work(result, both, 0.02 * both.baseline.kernel_us);
    result.expect_bound("baseline");
    expect_busy(result, both, 0.85,
                "Look at the timeline: ./workbook profile 14.3. Who waits for whom between two batches?");
    passed("kernels run {} of the time, and were {}; {:.2f} x the throughput", percent(both.learner.busy),
           percent(both.baseline.busy), both.speed_up);
  });
}
