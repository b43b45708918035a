// The scoreboard: what a block's latency is, and what the clock shows.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

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

// A kernel whose blocks log the timer and their SM, and then sleep for a while: two to an SM, for each has
// half of the threads that an SM takes.
TEST(Latency, BlocksWaitForAPlaceAndTheTimerShowsIt) {
  Limits limits = small_limits();
  limits.sm_count = 4;
  limits.registers_per_sm *= 4;  // so that threads decide how many blocks have room
  constexpr std::uint64_t start = 1'800'000'000'000'000'000;
  Kernel k(
      kernel_text(1,
                  "mov.u64 %rd1, %globaltimer;\nmov.u32 %r1, %smid;\ncvt.u64.u32 %rd2, %r1;\nmul.wide.u32 "
                  "%rd3, %r30, 16;\nadd.u64 %rd3, %rd3, %a0;\nsetp.ne.u32 %q1, %tid, 0;\n@%q1 bra "
                  "END;\nst.global.u64 [%rd3], %rd1;\nst.global.u64 [%rd3+8], %rd2;\nEND:\nnanosleep.u32 "
                  "10000;"),
      {}, limits);
  constexpr std::uint32_t blocks = 20;
  const std::uint64_t out = k.buffer(4 * blocks);
  const LaunchResult r = k.launch({blocks}, {1024}, {out}, 0, start);
  ASSERT_FALSE(r.fault) << r.fault->text;
  std::map<std::uint64_t, int> of_wave;
  std::map<std::pair<std::uint64_t, std::uint64_t>, int> of_sm_and_wave;
  for (std::uint32_t b = 0; b < blocks; ++b) {
    std::uint64_t line[2] = {};
    k.device.memory().read(out + b * 16, line, sizeof line);
    ASSERT_GE(line[0], start);
    const std::uint64_t wave = (line[0] - start) / 10'000;
    ++of_wave[wave];
    ++of_sm_and_wave[{line[1], wave}];
  }
  EXPECT_EQ(of_wave, (std::map<std::uint64_t, int>{{0, 8}, {1, 8}, {2, 4}}));
  for (const auto& [place, count] : of_sm_and_wave) EXPECT_LE(count, 2) << "SM " << place.first;
  EXPECT_GE(r.counters.last_block_end_cycles, 3 * 10'000ull * limits.clock_khz / 1'000'000);
}

TEST(Latency, AKernelWithoutTheTimerHasNoPlaces) {
  Kernel k(kernel_text(0, "nanosleep.u32 1000;"));
  EXPECT_EQ(k.launch({7}, {32}, {}).counters.last_block_end_cycles, 0u);
}

// The warp that comes last to an address, in the order of the additions, is not earlier than those before it.
TEST(Latency, TheOrderOfAtomicsShowsInTheTimer) {
  Kernel k(kernel_text(1,
                       "mov.u32 %r1, 0;\nsetp.ne.u32 %q1, %tid, 0;\n@%q1 bra GO;\nst.shared.u32 [count], "
                       "%r1;\nGO:\nbar.sync 0;\nsetp.lt.u32 %q2, %tid, 32;\n@!%q2 bra ADD;\nnanosleep.u32 "
                       "50000;\nADD:\natom.shared.add.u32 %r2, [count], 1;\nmov.u64 %rd1, "
                       "%globaltimer;\nmul.wide.u32 %rd2, %r2, 8;\nadd.u64 %rd2, %rd2, %a0;\nst.global.u64 "
                       "[%rd2], %rd1;",
                       ".shared .align 4 .u32 count;\n"));
  const std::uint64_t out = k.buffer(2 * 128);
  const LaunchResult r = k.launch({1}, {128}, {out}, 0, 1'000'000);
  ASSERT_FALSE(r.fault) << r.fault->text;
  std::vector<std::uint64_t> times(128);
  k.device.memory().read(out, times.data(), 128 * 8);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
}

}  // namespace
}  // namespace workbook::sim
