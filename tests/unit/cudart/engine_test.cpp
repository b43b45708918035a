// Order and times of operations in virtual time, without a device.
#include "cudart/engine.h"

#include <gtest/gtest.h>

namespace workbook::cudart {
namespace {

class EngineTest : public ::testing::Test {
 protected:
  EngineTest() : engine(/*launch_gap=*/100) {
    Scheduler::get().set_device(&engine);
    Scheduler::get().enter();
    start = Scheduler::get().self().now;
  }
  ~EngineTest() override {
    engine.wait_for_all();
    Scheduler::get().set_device(nullptr);
    Scheduler::get().leave();
  }

  Op work(EngineKind kind, std::int64_t duration, double share = 1) {
    Op op;
    op.engine = kind;
    op.is_kernel = kind == EngineKind::compute;
    op.share = share;
    op.earliest = start;
    op.begin = [duration](const Op&) { return duration; };
    return op;
  }
  std::int64_t begun(const OpRef& op) const { return op->started - start; }
  std::int64_t ended(const OpRef& op) const { return op->ended - start; }

  Engine engine;
  std::int64_t start = 0;
};

TEST_F(EngineTest, AStreamIsAQueue) {
  Stream* s = engine.create(0, 0);
  const OpRef first = engine.enqueue(*s, work(EngineKind::to_device, 1000));
  const OpRef second = engine.enqueue(*s, work(EngineKind::from_device, 500));
  engine.wait(second);
  EXPECT_EQ(begun(first), 0);
  EXPECT_EQ(begun(second), 1000);
  EXPECT_EQ(Scheduler::get().self().now, start + 1500);
}

TEST_F(EngineTest, DirectionsOverlapOneDirectionDoesNot) {
  Stream *a = engine.create(1, 0), *b = engine.create(1, 0), *c = engine.create(1, 0);
  const OpRef in = engine.enqueue(*a, work(EngineKind::to_device, 1000));
  const OpRef out = engine.enqueue(*b, work(EngineKind::from_device, 1000));
  const OpRef in_too = engine.enqueue(*c, work(EngineKind::to_device, 1000));
  engine.wait_for_all();
  EXPECT_EQ(begun(in), 0);
  EXPECT_EQ(begun(out), 0);
  EXPECT_EQ(begun(in_too), 1000);
}

TEST_F(EngineTest, KernelsShareWhenTheyFit) {
  Stream *a = engine.create(1, 0), *b = engine.create(1, 0), *c = engine.create(1, 0);
  const OpRef small = engine.enqueue(*a, work(EngineKind::compute, 1000, 0.5));
  const OpRef other = engine.enqueue(*b, work(EngineKind::compute, 2000, 0.5));
  const OpRef third = engine.enqueue(*c, work(EngineKind::compute, 1000, 0.5));
  engine.wait_for_all();
  EXPECT_EQ(begun(small), 0);
  EXPECT_EQ(begun(other), 0);
  EXPECT_EQ(begun(third), 1000);
}

TEST_F(EngineTest, ALargeKernelIsNotOvertakenBySmallOnes) {
  Stream *a = engine.create(1, 0), *b = engine.create(1, 0), *c = engine.create(1, 0);
  engine.enqueue(*a, work(EngineKind::compute, 1000, 0.5));
  const OpRef large = engine.enqueue(*b, work(EngineKind::compute, 1000, 1));
  const OpRef small = engine.enqueue(*c, work(EngineKind::compute, 1000, 0.1));
  engine.wait_for_all();
  EXPECT_EQ(begun(large), 1000);
  EXPECT_EQ(begun(small), 2000);
}

TEST_F(EngineTest, PriorityDecidesWhoIsNext) {
  Stream *a = engine.create(1, 0), *low = engine.create(1, 0), *high = engine.create(1, -5);
  engine.enqueue(*a, work(EngineKind::compute, 1000));
  const OpRef second = engine.enqueue(*low, work(EngineKind::compute, 1000));
  const OpRef first = engine.enqueue(*high, work(EngineKind::compute, 1000));
  engine.wait_for_all();
  EXPECT_EQ(begun(first), 1000);
  EXPECT_EQ(begun(second), 2000);
}

TEST_F(EngineTest, BackToBackKernelsHaveAGap) {
  Stream* s = engine.create(0, 0);
  engine.enqueue(*s, work(EngineKind::compute, 1000));
  const OpRef second = engine.enqueue(*s, work(EngineKind::compute, 1000));
  engine.wait(second);
  EXPECT_EQ(begun(second), 1100);
}

TEST_F(EngineTest, TheLegacyStreamWaitsAndIsWaitedFor) {
  Stream *blocking = engine.create(0, 0), *free = engine.create(1, 0);
  const OpRef before = engine.enqueue(*blocking, work(EngineKind::to_device, 1000));
  const OpRef legacy = engine.enqueue(engine.legacy(), work(EngineKind::from_device, 1000));
  const OpRef after = engine.enqueue(*blocking, work(EngineKind::within_device, 1000));
  const OpRef aside = engine.enqueue(*free, work(EngineKind::within_device, 10));
  engine.wait_for_all();
  EXPECT_EQ(begun(before), 0);
  EXPECT_EQ(begun(legacy), 1000);
  EXPECT_EQ(begun(after), 2000);
  EXPECT_EQ(begun(aside), 0);
}

TEST_F(EngineTest, DependenciesAcrossStreams) {
  Stream *a = engine.create(1, 0), *b = engine.create(1, 0);
  const OpRef first = engine.enqueue(*a, work(EngineKind::to_device, 1000));
  Op op = work(EngineKind::compute, 10);
  op.after.push_back(first);
  const OpRef second = engine.enqueue(*b, std::move(op));
  engine.wait(second);
  EXPECT_EQ(begun(second), 1000);
}

TEST_F(EngineTest, EffectsComeInVirtualOrder) {
  Stream *a = engine.create(1, 0), *b = engine.create(1, 0);
  std::string order;
  Op slow = work(EngineKind::to_device, 1000), fast = work(EngineKind::from_device, 100);
  slow.end = [&](const Op&) { order += "slow "; };
  fast.end = [&](const Op&) { order += "fast "; };
  engine.enqueue(*a, std::move(slow));
  engine.enqueue(*b, std::move(fast));
  engine.wait_for_all();
  EXPECT_EQ(order, "fast slow ");
}

TEST_F(EngineTest, NothingHappensBeforeItsTime) {
  Stream* s = engine.create(0, 0);
  bool done = false;
  Op op = work(EngineKind::to_device, 1000);
  op.end = [&](const Op&) { done = true; };
  engine.enqueue(*s, std::move(op));
  Scheduler& scheduler = Scheduler::get();
  const auto look = [&] {  // what any call does at its beginning
    scheduler.leave();
    scheduler.enter();
    return done;
  };
  scheduler.advance(999);
  EXPECT_FALSE(look());
  scheduler.advance(1);
  EXPECT_TRUE(look());
}

TEST_F(EngineTest, AbandonDropsWhatWaits) {
  Stream* s = engine.create(0, 0);
  bool ran = false;
  engine.enqueue(*s, work(EngineKind::to_device, 1000));
  Op op = work(EngineKind::to_device, 1000);
  op.begin = [&](const Op&) {
    ran = true;
    return std::int64_t{0};
  };
  const OpRef second = engine.enqueue(*s, std::move(op));
  engine.abandon(start);
  engine.wait(second);
  EXPECT_FALSE(ran);
  EXPECT_TRUE(engine.idle());
}

TEST_F(EngineTest, AFullQueueHoldsTheHost) {
  Stream* s = engine.create(0, 0);
  for (int i = 0; i < 1024; ++i) engine.enqueue(*s, work(EngineKind::to_device, 1000));
  EXPECT_EQ(Scheduler::get().self().now, start);
  engine.enqueue(*s, work(EngineKind::to_device, 1000));
  EXPECT_EQ(Scheduler::get().self().now, start + 1000);
}

}  // namespace
}  // namespace workbook::cudart
