// The same results, counters and faults whatever the number of host threads, and in every run.
#include "fixture.h"

namespace workbook::sim {
namespace {

struct Outcome {
  LaunchResult result;
  std::vector<std::uint32_t> memory;
};

Outcome run(const std::string& text, std::uint32_t host_threads, Dim3 grid, Dim3 block, std::size_t count,
            std::uint64_t budget = 4'000'000'000) {
  Options options;
  options.host_threads = host_threads;
  options.instruction_budget = budget;
  Kernel k(text, options);
  const std::uint64_t in = k.buffer(count, true), out = k.buffer(count, true);
  Outcome o;
  k.launch(grid, block, {in, out});  // leaves L2 warm
  o.result = k.launch(grid, block, {in, out});
  o.memory = k.read(out, count);
  return o;
}

void expect_same(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.memory, b.memory);
  EXPECT_EQ(a.result.output, b.result.output);
  const Counters &x = a.result.counters, &y = b.result.counters;
  EXPECT_EQ(x.inst_executed, y.inst_executed);
  EXPECT_EQ(x.thread_inst_executed, y.thread_inst_executed);
  EXPECT_EQ(x.inst_by_class, y.inst_by_class);
  EXPECT_EQ(x.global_load.sectors, y.global_load.sectors);
  EXPECT_EQ(x.global_store.sectors, y.global_store.sectors);
  EXPECT_EQ(x.l1_hit_sectors, y.l1_hit_sectors);
  EXPECT_EQ(x.l2_read_sectors, y.l2_read_sectors);
  EXPECT_EQ(x.first_read_sectors_l2_hit, y.first_read_sectors_l2_hit);
  EXPECT_EQ(x.first_read_sectors_dram, y.first_read_sectors_dram);
  EXPECT_EQ(x.written_sectors, y.written_sectors);
  EXPECT_EQ(x.block_latency_cycles_sum, y.block_latency_cycles_sum);
  EXPECT_EQ(x.block_latency_cycles_max, y.block_latency_cycles_max);
  EXPECT_EQ(x.block_latency_trips_sum, y.block_latency_trips_sum);
  ASSERT_EQ(a.result.fault.has_value(), b.result.fault.has_value());
  if (!a.result.fault) return;
  EXPECT_EQ(a.result.fault->text, b.result.fault->text);
  EXPECT_EQ(a.result.fault->block, b.result.fault->block);
  EXPECT_EQ(a.result.fault->thread, b.result.fault->thread);
}

void expect_deterministic(const std::string& text, Dim3 grid, Dim3 block, std::size_t count,
                          std::uint64_t budget = 4'000'000'000) {
  const Outcome one = run(text, 1, grid, block, count, budget);
  expect_same(one, run(text, 1, grid, block, count, budget));
  for (int round = 0; round < 3; ++round) expect_same(one, run(text, 2, grid, block, count, budget));
  expect_same(one, run(text, 5, grid, block, count, budget));
}

constexpr std::uint32_t many = 1024;  // blocks of 256: too large for exact checking at first

TEST(Determinism, StreamingKernel) {
  expect_deterministic(
      kernel_text(2,
                  "mad.wide.u32 %rd1, %gid, 4, %a0;\nmad.wide.u32 %rd2, %gid, 4, %a1;\nld.global.u32 %r1, "
                  "[%rd1];\nadd.u32 %r1, %r1, %gid;\nst.global.u32 [%rd2], %r1;"),
      {many}, {256}, many * 256);
}

TEST(Determinism, NeighboursReadEachOthersInput) {
  expect_deterministic(kernel_text(2,
                                   "and.b32 %r2, %gid, 0x3ff;\nmul.lo.u32 %r2, %r2, 37;\nmad.wide.u32 %rd1, "
                                   "%r2, 4, %a0;\nmad.wide.u32 %rd2, %gid, 4, %a1;\nld.global.u32 %r1, "
                                   "[%rd1];\nadd.u32 %r1, %r1, %gid;\nst.global.u32 [%rd2], %r1;"),
                       {many}, {256}, many * 256);
}

TEST(Determinism, BlocksThatShareSectors) {
  // 255 threads write each block's part: the parts do not end at sectors, so blocks meet without a race.
  const std::string text =
      kernel_text(2,
                  "mov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r2, %r1, 255, %tid;\nsetp.ge.u32 %q1, %tid, "
                  "255;\n@%q1 bra OUT;\nmad.wide.u32 %rd2, %r2, 4, %a1;\nld.global.u32 %r3, [%rd2];\nadd.u32 "
                  "%r3, %r3, %r2;\nst.global.u32 [%rd2], %r3;\nOUT:");
  const Outcome o = run(text, 2, {many}, {256}, many * 256);
  ASSERT_FALSE(o.result.fault) << o.result.fault->text;
  for (std::uint32_t i = 0; i < many * 255; ++i)
    ASSERT_EQ(o.memory[i], 2 * i);  // two launches, none counted twice
  expect_deterministic(text, {many}, {256}, many * 256);
}

TEST(Determinism, RaceInALargeLaunchIsAlwaysTheSame) {
  // Every block adds to one word without an atomic.
  const std::string text = kernel_text(2,
                                       "setp.ne.u32 %q1, %tid, 0;\n@%q1 bra OUT;\nld.global.u32 %r3, "
                                       "[%a1];\nadd.u32 %r3, %r3, 1;\nst.global.u32 [%a1], %r3;\nOUT:");
  const Outcome o = run(text, 2, {many}, {256}, 64);
  ASSERT_TRUE(o.result.fault);
  EXPECT_EQ(o.result.fault->kind, FaultKind::race_global);
  expect_deterministic(text, {many}, {256}, 64);
}

TEST(Determinism, FirstFaultInOrderWins) {
  const std::string text = kernel_text(2, "mad.wide.u32 %rd2, %gid, 4, %a1;\nst.global.u32 [%rd2], %gid;");
  const Outcome o = run(text, 2, {many}, {256}, 100'000);
  ASSERT_TRUE(o.result.fault);
  EXPECT_EQ(o.result.fault->kind, FaultKind::out_of_bounds);
  expect_deterministic(text, {many}, {256}, 100'000);
}

TEST(Determinism, EndlessLargeLaunch) {
  const std::string text = kernel_text(2, "AGAIN:\nbra AGAIN;");
  const Outcome o = run(text, 2, {many}, {256}, 64, 100'000);
  ASSERT_TRUE(o.result.fault);
  EXPECT_EQ(o.result.fault->kind, FaultKind::endless_kernel);
  expect_deterministic(text, {many}, {256}, 64, 100'000);
}

TEST(Determinism, BudgetOverManyBlocks) {
  const std::string text = kernel_text(2, "mad.wide.u32 %rd2, %gid, 4, %a1;\nst.global.u32 [%rd2], %gid;");
  const Outcome o = run(text, 2, {many}, {256}, many * 256, 20'000);
  ASSERT_TRUE(o.result.fault);
  EXPECT_EQ(o.result.fault->kind, FaultKind::endless_kernel);
  expect_deterministic(text, {many}, {256}, many * 256, 20'000);
}

TEST(Determinism, AtomicsRunInOneOrder) {
  expect_deterministic(
      kernel_text(
          2,
          "atom.global.add.u32 %r1, [%a0], 1;\nmad.wide.u32 %rd2, %gid, 4, %a1;\nst.global.u32 [%rd2], %r1;"),
      {many}, {64}, many * 64);
}

}  // namespace
}  // namespace workbook::sim
