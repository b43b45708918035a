// What stands in a fault besides its kind; the kinds themselves are in tests/ptx.
#include "fixture.h"

namespace workbook::sim {
namespace {

TEST(Fault, NamesKernelThreadLineAndAllocation) {
  Kernel k(kernel_text(1, "mad.wide.u32 %rd1, %gid, 4, %a0;\n.loc 1 42 7\nst.global.u32 [%rd1], %gid;"));
  const std::uint64_t y = k.buffer(1000, false, "y");
  const LaunchResult r = k.launch({4}, {256}, {y});
  ASSERT_TRUE(r.fault);
  EXPECT_EQ(r.fault->kind, FaultKind::out_of_bounds);
  EXPECT_EQ(r.fault->kernel, "kernel");
  EXPECT_EQ(r.fault->block[0], 3u);
  EXPECT_EQ(r.fault->thread[0], 232u);
  EXPECT_EQ(r.fault->threads_at_fault, 24u);
  EXPECT_EQ(r.fault->at.file, "kernel.cu");
  EXPECT_EQ(r.fault->at.line, 42u);
  EXPECT_EQ(r.fault->at.column, 7u);
  EXPECT_TRUE(r.fault->is_write);
  EXPECT_EQ(r.fault->bytes, 4u);
  EXPECT_EQ(r.fault->address, y + 4000);
  EXPECT_TRUE(r.fault->allocation.known);
  EXPECT_EQ(r.fault->allocation.offset, 4000);
  EXPECT_EQ(r.fault->text, "writes 4 bytes, just past the end of y (4000 bytes)");
}

TEST(Fault, UseAfterFree) {
  Kernel k(kernel_text(1, "mad.wide.u32 %rd1, %gid, 4, %a0;\nst.global.u32 [%rd1], %gid;"));
  const std::uint64_t y = k.buffer(64, true, "y");
  k.device.memory().free(y);
  const LaunchResult r = k.launch({2}, {32}, {y});
  ASSERT_TRUE(r.fault);
  EXPECT_EQ(r.fault->kind, FaultKind::use_after_free);
  EXPECT_EQ(r.fault->allocation.name, "y");
  EXPECT_NE(r.fault->text.find("was freed"), std::string::npos);
}

TEST(Fault, RaceNamesBothParties) {
  Kernel k(
      kernel_text(1,
                  "mov.u32 %r1, tile;\n.loc 1 10 1\nsetp.eq.u32 %q1, %tid, 5;\n@%q1 st.shared.u32 [tile], "
                  "77;\n.loc 1 11 1\nsetp.eq.u32 %q2, %tid, 40;\n@%q2 ld.shared.u32 %r2, [tile];",
                  ".shared .align 4 .b8 tile[64];\n"));
  const LaunchResult r = k.launch({1}, {64}, {0});
  ASSERT_TRUE(r.fault);
  EXPECT_EQ(r.fault->kind, FaultKind::race_shared);
  EXPECT_EQ(r.fault->thread[0], 40u);
  EXPECT_EQ(r.fault->at.line, 11u);
  ASSERT_TRUE(r.fault->has_other);
  EXPECT_EQ(r.fault->other_thread[0], 5u);
  EXPECT_EQ(r.fault->other_at.line, 10u);
}

TEST(Fault, RaceChecksCanBeSwitchedOff) {
  Options options;
  options.check_races = false;
  options.check_uninitialised = false;
  Kernel k(kernel_text(1, "ld.global.u32 %r1, [%a0];\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%a0], %r1;"),
           options);
  const std::uint64_t y = k.buffer(1);
  EXPECT_FALSE(k.launch({4}, {32}, {y}).fault);
}

TEST(Fault, PaddingIsNotUninitialised) {
  // A struct of a double and an int is copied as two 8-byte values; 4 bytes of it are padding nobody wrote.
  Kernel k(
      kernel_text(2,
                  "mov.u64 %rd1, 5;\nst.global.u64 [%a0], %rd1;\nmov.u32 %r1, 6;\nst.global.u32 [%a0+8], "
                  "%r1;\nld.global.v2.u64 {%rd2, %rd3}, [%a0];\nst.global.v2.u64 [%a1], {%rd2, %rd3};"));
  const std::uint64_t from = k.buffer(4), to = k.buffer(4);
  const LaunchResult r = k.launch({1}, {1}, {from, to});
  EXPECT_FALSE(r.fault) << r.fault->text;
}

TEST(Fault, EndlessKernelIsFoundFast) {
  Options options;
  options.instruction_budget = 1'000'000;
  Kernel k(kernel_text(0, "AGAIN:\n.loc 1 9 3\nbra AGAIN;"), options);
  const LaunchResult r = k.launch({2}, {64}, {});
  ASSERT_TRUE(r.fault);
  EXPECT_EQ(r.fault->kind, FaultKind::endless_kernel);
  EXPECT_EQ(r.fault->at.line, 9u);
}

// An array between two that have been written: what runs over it must not be taken for theirs.
TEST(Fault, NoOverrunReachesAWrittenNeighbour) {
  const std::pair<const char*, bool> accesses[]{{"ld.global.u32 %r1, [%a0];", false},
                                                {"st.global.u32 [%a0], 1;", true},
                                                {"atom.global.add.u32 %r1, [%a0], 1;", true},
                                                {"ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a0];", false}};
  for (const auto& [access, writes] : accesses) {
    Kernel k(kernel_text(1, access));
    for (const std::size_t words : {64u, 256u, 1000u, 4096u, 100'000u}) {
      k.buffer(words, true, "before");
      const std::uint64_t b = k.buffer(words, true, "b");
      k.buffer(words, true, "behind");
      for (const std::uint64_t by : {1u, 256u, 4096u}) {
        const std::uint64_t past = b + (words + by - 1) / 4 * 4 * 4;
        const LaunchResult r = k.launch({1}, {1}, {past});
        ASSERT_TRUE(r.fault) << access << " " << words << " " << by;
        EXPECT_EQ(r.fault->kind, FaultKind::out_of_bounds);
        EXPECT_EQ(r.fault->is_write, writes);
        if (by <= 4 * words) EXPECT_EQ(r.fault->allocation.name, "b") << access << " " << words << " " << by;
        const LaunchResult below = k.launch({1}, {1}, {b - by * 16});
        ASSERT_TRUE(below.fault) << access << " " << words << " " << by;
        EXPECT_EQ(below.fault->kind, FaultKind::out_of_bounds);
      }
      for (const std::uint64_t by : {1u, 256u, 4096u}) {  // what cudaMemcpy asks
        EXPECT_TRUE(k.device.memory().check_range(b, (words + by) * 4, true));
        EXPECT_TRUE(k.device.memory().check_range(b + words * 4 + by * 4 - 4, 4, false));
      }
    }
  }
}

TEST(Fault, OverrunsAreSeenAtEveryGap) {
  Kernel k(kernel_text(1, "st.global.u32 [%a0], 1;"));
  for (const std::size_t words : {1u, 63u, 64u, 65u, 1000u}) {
    const std::uint64_t a = k.buffer(words);
    k.buffer(1);
    EXPECT_FALSE(k.launch({1}, {1}, {a + words * 4 - 4}).fault);
    EXPECT_TRUE(k.launch({1}, {1}, {a + words * 4}).fault) << words;
    EXPECT_TRUE(k.launch({1}, {1}, {a - 4}).fault) << words;
  }
}

}  // namespace
}  // namespace workbook::sim
