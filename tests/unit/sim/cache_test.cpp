// The models of L1 and L2.
#include "fixture.h"

namespace workbook::sim {
namespace {

const std::string read_all = kernel_text(1, "mad.wide.u32 %rd1, %gid, 4, %a0;\nld.global.u32 %r1, [%rd1];");

TEST(Cache, SecondLaunchFindsItsDataInL2) {
  Kernel k(read_all);
  const std::uint64_t in = k.buffer(8192, true);
  k.device.memory().flush_l2();
  const Counters cold = k.launch({32}, {256}, {in}).counters, warm = k.launch({32}, {256}, {in}).counters;
  EXPECT_EQ(cold.first_read_sectors_dram, 1024u);
  EXPECT_EQ(cold.first_read_sectors_l2_hit, 0u);
  EXPECT_EQ(warm.first_read_sectors_dram, 0u);
  EXPECT_EQ(warm.first_read_sectors_l2_hit, 1024u);
}

TEST(Cache, CopiesPlaceDataInL2) {
  Kernel k(read_all);
  const std::uint64_t in = k.buffer(8192, true);
  EXPECT_EQ(k.launch({32}, {256}, {in}).counters.first_read_sectors_l2_hit, 1024u);
}

TEST(Cache, MoreThanL2PushesOldDataOut) {
  Limits limits = small_limits();
  limits.l2_bytes = 64 * 1024;
  Kernel k(read_all, {}, limits);
  const std::uint64_t a = k.buffer(8192, true), b = k.buffer(32768, true);
  k.launch({32}, {256}, {a});
  k.launch({128}, {256}, {b});
  EXPECT_EQ(k.launch({32}, {256}, {a}).counters.first_read_sectors_dram, 1024u);
}

// A fill that finds its bytes already there does to the cache what the first one did.
TEST(Cache, ARepeatedFillPushesOldDataOutToo) {
  Limits limits = small_limits();
  limits.l2_bytes = 1 << 20;
  Kernel k(read_all, {}, limits);
  const std::uint64_t a = k.buffer(8192, true), other = k.buffer((1 << 20) / 2, true);
  for (int i = 0; i < 3; ++i) {
    k.device.memory().fill(other, 7, 2 << 20);
    EXPECT_EQ(k.launch({32}, {256}, {a}).counters.first_read_sectors_dram, 1024u) << "fill " << i;
    EXPECT_EQ(k.launch({32}, {256}, {a}).counters.first_read_sectors_l2_hit, 1024u) << "fill " << i;
  }
}

TEST(Cache, AFillBringsBackBytesThatWereOverwritten) {
  Kernel k(kernel_text(1, "mad.wide.u32 %rd1, %gid, 4, %a0;\nst.global.u32 [%rd1], 1;"));
  const std::uint64_t out = k.buffer(1 << 19);
  Memory& memory = k.device.memory();
  for (int i = 0; i < 3; ++i) {
    memory.fill(out, 7, 2 << 20);
    std::uint32_t words[2] = {};
    memory.read(out, &words[0], 4);
    memory.read(out + (2 << 20) - 4, &words[1], 4);
    EXPECT_EQ(words[0], 0x07070707u) << "fill " << i;
    EXPECT_EQ(words[1], 0x07070707u) << "fill " << i;
    k.launch({1}, {32}, {out});
  }
}

TEST(Cache, ASectorIsFirstReadOnce) {
  Kernel k(
      kernel_text(1, "and.b32 %r1, %gid, 31;\nmad.wide.u32 %rd1, %r1, 4, %a0;\nld.global.u32 %r1, [%rd1];"));
  const std::uint64_t in = k.buffer(32, true);
  k.device.memory().flush_l2();
  const Counters c = k.launch({10}, {64}, {in}).counters;
  EXPECT_EQ(c.first_read_sectors_dram, 4u);
  EXPECT_EQ(c.global_load.sectors, 80u);
  EXPECT_EQ(c.l1_hit_sectors, 40u);  // the second warp of each block
  EXPECT_EQ(c.l2_read_sectors, 40u);
}

TEST(Cache, StoresCountTheirSectorsOnce) {
  Kernel k(
      kernel_text(1, "mad.wide.u32 %rd1, %gid, 4, %a0;\nst.global.u32 [%rd1], 1;\nst.global.u32 [%rd1], 2;"));
  const std::uint64_t out = k.buffer(1024);
  const Counters c = k.launch({4}, {256}, {out}).counters;
  EXPECT_EQ(c.written_sectors, 128u);
  EXPECT_EQ(c.global_store.sectors, 256u);
  EXPECT_EQ(c.l2_write_sectors, 256u);
}

}  // namespace
}  // namespace workbook::sim
