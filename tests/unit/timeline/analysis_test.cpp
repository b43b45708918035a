// Busy, gaps with their cause, loops, projections: on traces whose answer is known by hand.
#include "timeline/analysis.h"

#include <gtest/gtest.h>

#include "trace_maker.h"

namespace workbook::timeline {
namespace {

using trace::EventKind;
using trace::MemoryKind;

TEST(Timeline, BusyIsTheUnionOfKernelsOverTheWindowOfOperations) {
  TraceMaker t;
  t.copy(MemoryKind::pinned, 0, 100, 200, 1);
  t.kernel("a", 5, 200, 260, 1);
  t.kernel("b", 8, 230, 300, 2);  // overlaps a: counted once
  const auto events = t.events();
  const Timeline timeline(events);
  EXPECT_EQ(timeline.window(), (Interval{100'000, 300'000}));
  EXPECT_DOUBLE_EQ(timeline.busy(timeline.window()), 0.5);
  EXPECT_DOUBLE_EQ(timeline.copy_busy(timeline.window()), 0.5);
  EXPECT_DOUBLE_EQ(timeline.overlap(timeline.window()), 0);
}

TEST(Timeline, OverlapIsTheCopiesTimeUnderAKernel) {
  TraceMaker t;
  t.kernel("a", 0, 100, 200, 1);
  t.copy(MemoryKind::pinned, 5, 150, 250, 2);
  const auto events = t.events();
  EXPECT_DOUBLE_EQ(Timeline(events).overlap(Timeline(events).window()), 0.5);
}

TEST(Timeline, ATraceWithoutDeviceTimesHasNoGaps) {
  TraceMaker t;
  auto& kernel = t.kernel("a", 0, 0, 0);
  kernel.device_begin_ns = kernel.device_end_ns = -1;
  const auto events = t.events();
  const Timeline timeline(events);
  EXPECT_FALSE(timeline.device_times_known());
  EXPECT_TRUE(timeline.gaps(timeline.window(), 1).empty());
  EXPECT_EQ(timeline.busy(timeline.window()), 0);
}

// Kernel a ends at 200, kernel b begins at 300; the test puts something into the time between.
struct Between {
  TraceMaker t;
  Between() { t.kernel("a", 0, 100, 200); }
  Gap end(double launched_at) {
    t.kernel("b", launched_at, 300, 400);
    events = t.events();
    const Timeline timeline(events);
    const auto gaps = timeline.gaps(timeline.window(), 1000);
    EXPECT_EQ(gaps.size(), 1u);
    return gaps.at(0);
  }
  std::vector<trace::Event> events;
};

TEST(Gaps, ACopyOnTheDeviceIsACopy) {
  Between b;
  b.t.copy(MemoryKind::pinned, 10, 210, 290);
  const Gap gap = b.end(12);
  EXPECT_EQ(gap.cause, Cause::copy);
  EXPECT_FALSE(gap.pageable);
}

TEST(Gaps, APageableCopyCountsWithTheTimeOfItsCall) {
  Between b;
  auto& copy = b.t.copy(MemoryKind::pageable, 205, 270, 290);
  copy.host_end_ns = 285'000;
  const Gap gap = b.end(288);
  EXPECT_EQ(gap.cause, Cause::copy);
  EXPECT_TRUE(gap.pageable);
}

TEST(Gaps, AHostOutsideOfCudaIsTheLoaderAndTheInnermostRangeNamesIt) {
  Between b;
  b.t.call(EventKind::sync, "cudaDeviceSynchronize", 5, 202);
  const auto batch = b.t.push("batch", 203);
  const auto load = b.t.push("load", 204);
  b.t.pop(load, 290);
  b.t.pop(batch, 292);
  const Gap gap = b.end(296);
  EXPECT_EQ(gap.cause, Cause::loader);
  EXPECT_EQ(gap.what, "load");
}

TEST(Gaps, AnAllocationIsTheApi) {
  Between b;
  b.t.call(EventKind::alloc, "cudaMalloc", 202, 280);
  const Gap gap = b.end(290);
  EXPECT_EQ(gap.cause, Cause::api);
  EXPECT_EQ(gap.what, "cudaMalloc");
}

TEST(Gaps, AGapThatBeginsInAWaitIsTheWaits) {
  Between b;
  b.t.call(EventKind::sync, "cudaStreamSynchronize", 5, 260);
  EXPECT_EQ(b.end(262).cause, Cause::synchronise);
}

TEST(Gaps, NothingElseIsTheLaunch) {
  Between b;
  b.t.call(EventKind::stream, "cudaStreamCreate", 2, 3);
  auto& slow = b.t.kernel("c", 100, 390, 430);  // its call fills the gap
  slow.host_end_ns = 299'000;
  EXPECT_EQ(b.end(299).cause, Cause::launch);
}

TEST(Loops, TheSameWaitWithNewWorkInBetween) {
  TraceMaker t;
  double at = 0;
  for (int i = 0; i < 4; ++i, at += 50) {
    t.kernel("a", at, at + 5, at + 20);
    t.call(EventKind::sync, "cudaDeviceSynchronize", at + 3, at + 22).frames = {0x10};
  }
  t.call(EventKind::sync, "cudaDeviceSynchronize", at, at + 1).frames = {0x20};
  t.call(EventKind::sync, "cudaDeviceSynchronize", at + 2, at + 3).frames = {0x20};
  const auto events = t.events();
  const auto waits = Timeline(events).waits_in_loops(3);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].waits.size(), 4u);
  EXPECT_EQ(waits[0].api, "cudaDeviceSynchronize");
}

TEST(Loops, WaitingAgainWithoutNewWorkIsNoLoop) {
  TraceMaker t;
  t.kernel("a", 0, 5, 20);
  for (int i = 0; i < 5; ++i) t.call(EventKind::sync, "cudaDeviceSynchronize", 30 + i, 30.5 + i).frames = {1};
  const auto events = t.events();
  EXPECT_TRUE(Timeline(events).waits_in_loops(3).empty());
}

TEST(Ranges, NestPerThreadAndDomain) {
  TraceMaker t;
  const auto epoch = t.push("epoch", 0);
  const auto other = t.push("io", 1, "loader");
  const auto batch = t.push("batch", 2);
  t.thread = 1;
  const auto elsewhere = t.push("worker", 3);
  t.pop(elsewhere, 4);
  t.thread = 0;
  t.pop(batch, 5);
  t.pop(other, 6, "loader");
  t.range("pop", "", 7, "", 0);
  const auto events = t.events();
  const auto set = ranges_of(events);
  ASSERT_EQ(set.ranges.size(), 4u);
  EXPECT_TRUE(set.ranges[0].open);
  EXPECT_EQ(set.ranges[0].id, epoch);
  EXPECT_EQ(set.ranges[0].children, std::vector<int>{2});
  EXPECT_EQ(set.ranges[1].parent, -1);
  EXPECT_EQ(set.ranges[3].parent, -1);
  EXPECT_EQ(set.stray_pops.size(), 1u);
}

TEST(Ranges, AreProjectedByTheCallsMadeInThem) {
  TraceMaker t;
  const auto step = t.push("step", 0);
  t.kernel("a", 1, 100, 150);  // launched inside, runs long after the range has ended
  t.kernel("b", 3, 140, 160);
  t.pop(step, 6);
  t.kernel("c", 7, 160, 500);
  const auto events = t.events();
  const Timeline timeline(events);
  const auto projection = project(timeline.ranges().ranges[0], timeline.events());
  EXPECT_EQ(projection.kernels, 2);
  EXPECT_EQ(projection.span, (Interval{100'000, 160'000}));
  EXPECT_EQ(projection.busy, 60'000);
}

}  // namespace
}  // namespace workbook::timeline
