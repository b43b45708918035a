// The scoreboard: what a block's latency is, and what the clock shows.
#include "fixture.h"

namespace workbook::sim {
namespace {

TEST(Latency, ASpinOnTheClockTakesItsTime) {
  Kernel k(kernel_text(1,
                       "mov.u64 %rd1, %clock64;\nAGAIN:\nmov.u64 %rd2, %clock64;\nsub.u64 %rd3, %rd2, "
                       "%rd1;\nsetp.lt.u64 %q1, %rd3, %a0;\n@%q1 bra AGAIN;"));
  for (const std::uint64_t cycles : {1000ull, 100'000ull}) {
    const LaunchResult r = k.launch({1}, {32}, {cycles});
    ASSERT_FALSE(r.fault);
    EXPECT_GE(r.counters.block_latency_cycles_max, cycles);
    EXPECT_LT(r.counters.block_latency_cycles_max, cycles + 500);
  }
}

TEST(Latency, DependentInstructionsWait) {
  Latencies t;
  std::string chain, apart;
  for (int i = 0; i < 100; ++i) {
    chain += "add.u32 %r1, %r1, 1;\n";
    apart += "add.u32 %r" + std::to_string(i % 20 + 1) + ", %gid, 1;\n";
  }
  Kernel a(kernel_text(0, chain)), b(kernel_text(0, apart));
  const auto slow = a.launch({1}, {32}, {}).counters.block_latency_cycles_max,
             fast = b.launch({1}, {32}, {}).counters.block_latency_cycles_max;
  EXPECT_GE(slow, 100 * t.alu);
  EXPECT_LT(fast, 150u);
}

TEST(Latency, AChaseCountsItsTrips) {
  // Each load gives the address of the next; lines are far apart, so none hits L1.
  Kernel k(
      kernel_text(1,
                  "mov.u64 %rd1, %a0;\nmov.u32 %r1, 0;\nAGAIN:\nld.global.u64 %rd1, [%rd1];\nadd.u32 %r1, "
                  "%r1, 1;\nsetp.lt.u32 %q1, %r1, 16;\n@%q1 bra AGAIN;\nst.global.u64 [%a0+8], %rd1;"));
  const std::uint64_t base = k.buffer(17 * 1024);
  for (std::uint64_t i = 0; i < 17; ++i) {
    const std::uint64_t next = base + (i + 1) * 4096;
    k.device.memory().write(base + i * 4096, &next, 8);
  }
  const LaunchResult r = k.launch({1}, {1}, {base});
  ASSERT_FALSE(r.fault) << r.fault->text;
  EXPECT_EQ(r.counters.block_latency_trips_max, 16u);
  EXPECT_GE(r.counters.block_latency_cycles_max, 16 * Latencies{}.l2_hit);
}

TEST(Latency, ABarrierWaitsForTheSlowestWarp) {
  Kernel k(kernel_text(
      1,
      "setp.ge.u32 %q1, %tid, 32;\n@%q1 bra MEET;\nnanosleep.u32 10000;\nMEET:\nbar.sync 0;\nmov.u64 %rd1, "
      "%clock64;\nmad.wide.u32 %rd2, %tid, 8, %a0;\nst.global.u64 [%rd2], %rd1;"));
  const std::uint64_t out = k.buffer(128);
  ASSERT_FALSE(k.launch({1}, {64}, {out}).fault);
  const auto v = k.read(out, 128);
  EXPECT_GE(v[2 * 63], 19'000u);  // 10 us at 1.98 GHz
}

TEST(Latency, GlobalTimerGoesOnFromTheStart) {
  Kernel k(kernel_text(1, "mov.u64 %rd1, %globaltimer;\nst.global.u64 [%a0], %rd1;"));
  const std::uint64_t out = k.buffer(2);
  ASSERT_FALSE(k.launch({1}, {1}, {out}, 0, 5'000'000'000).fault);
  std::uint64_t t = 0;
  k.device.memory().read(out, &t, 8);
  EXPECT_GE(t, 5'000'000'000u);
  EXPECT_LT(t, 5'000'010'000u);
}

}  // namespace
}  // namespace workbook::sim
