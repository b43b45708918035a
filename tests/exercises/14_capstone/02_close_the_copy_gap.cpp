// 14.2: the copies beside the kernels. Every batch whole and in order, under every order that CUDA allows;
// every copy from pinned memory; a quarter more throughput, and kernels at least 65 % of the time.
#include <set>

#include "found.h"

using namespace workbook;
using namespace capstone;

EXERCISE("14.2", "Take the copies out of the way: from pinned memory, and the loop waits for none of them.")

namespace {

Result go(const Load& load, const Schedule& schedule = {}) {
  return run_of("run", load).schedule(schedule).go();
}

void expect_not_pinned_again(const Result& result, const Load& load) {
  std::size_t pinned = 0;
  for (const Step& step : result.trace().of(Step::Kind::allocate))
    pinned += step.api == "cudaMallocHost" || step.api == "cudaHostAlloc" || step.api == "cudaHostRegister";
  result.expect_that(pinned < static_cast<std::size_t>(load.batches),
                     {"pins_each_batch",
                      fmt::format("memory was pinned {} times for {} batches.", pinned, load.batches),
                      {"Pinning costs more than the copy does: 8.4."},
                      "Which pinned memory is there already?"});
}

// The loop that waits for a copy can't decode meanwhile.
void expect_several_places(const Result& result, const Load& load) {
  std::set<std::uint64_t> sources;
  for (const Step& step : result.trace().copies("host to device"))
    if (step.bytes >= load.shape.bytes()) sources.insert(step.source);
  result.expect_that(sources.size() >= 2, {"one_slot",
                                           "all batches go through one place in the host's memory.",
                                           {"While it is copied from there, nobody can decode into it."},
                                           "Where can batch n + 1 be decoded to while batch n is copied?"});
}

}  // namespace

CHECK_CASE(every_batch) {
  for (const Load& load :
       {Load{7}, Load{0}, Load{1}, Load{2}, Load{12, 0, {1, 5, 5}}, Load{9, 0, {2, 9, 3}, 1}}) {
    const Result result = go(load);
    expect_every_batch(result, load);
  }
  passed("every batch whole and in order");
}

CHECK_CASE(any_order) {
  const Load load{9};
  const Result plain = go(load);
  expect_every_batch(plain, load);
  const auto schedules = schedules_for(plain.trace());
  for (const Schedule& schedule : schedules) expect_every_batch(go(load, schedule), load);
  passed("right in {} orders that CUDA allows", schedules.size() + 1);
}

CHECK_CASE(pinned_sources) {
  const Load load{12};
  const Result result = go(load);
  expect_every_batch(result, load);
  expect_pinned(result, load);
  expect_not_pinned_again(result, load);
  expect_several_places(result, load);
  passed("every batch is copied from pinned memory");
}

CHECK_CASE(beside_the_kernels) {
  look_again([&] {
    const Result result = Run("run_timed").device_times().time_limit(240).go();
    const Both both = expect_whole_work(result);
    expect_no_extra_work(result, both, 0.02 * both.baseline.kernel_us);
    result.expect_bound("baseline");
    expect_busy(result, both, 0.65,
                "Look at the timeline: ./workbook profile 14.2. What stands between two batches?");
    passed("kernels run {} of the time, and were {}; {:.2f} x the throughput", percent(both.learner.busy),
           percent(both.baseline.busy), both.speed_up);
  });
}
