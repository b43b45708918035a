// The kernel model term by term, on counters written by hand.
#include <gtest/gtest.h>

#include "model/profile.h"

namespace workbook::model {
namespace {

using sim::Counters;

const Profile& h200() {
  return find_profile("h200@1");
}

Counters launch(std::uint32_t grid, std::uint32_t block) {
  Counters c;
  c.grid = {grid, 1, 1};
  c.block = {block, 1, 1};
  c.warps = std::uint64_t{grid} * ((block + 31) / 32);
  return c;
}

// c[i] = a[i] + b[i] as the simulated device counts it: two loads and a store of four sectors a warp.
Counters vector_add(std::uint32_t n, std::uint32_t block) {
  Counters c = launch(n / block, block);
  c.inst_executed = 20 * c.warps;
  c.global_load = {2 * c.warps, 8 * c.warps, 8ull * n};
  c.global_store = {c.warps, 4 * c.warps, 4ull * n};
  c.l2_read_sectors = c.global_load.sectors;
  c.l2_write_sectors = c.written_sectors = c.global_store.sectors;
  c.first_read_sectors_dram = c.global_load.sectors;
  c.block_latency_cycles_max = 400;
  c.block_latency_cycles_sum = 400ull * c.grid[0];
  c.block_latency_trips_max = 1;
  c.block_latency_trips_sum = c.grid[0];
  return c;
}

TEST(KernelTime, an_empty_kernel_takes_the_fixed_time) {
  const KernelTime t = kernel_time(h200(), launch(1, 32), 32);
  EXPECT_GE(t.ns, 850);
  EXPECT_LE(t.ns, 1000);
  EXPECT_EQ(t.bound_by, "launch");
}

TEST(KernelTime, many_small_blocks_are_bound_by_dispatch) {
  const KernelTime t = kernel_time(h200(), vector_add(1u << 24, 32), 32);
  EXPECT_EQ(t.bound_by, "block dispatch");
  EXPECT_NEAR(t.ns, 317'000, 0.1 * 317'000);  // measured: 320.48 us event to event
}

TEST(KernelTime, a_streaming_kernel_is_bound_by_dram) {
  const KernelTime t = kernel_time(h200(), vector_add(1u << 24, 256), 8);
  EXPECT_NEAR(t.ns, 60'300, 0.15 * 60'300);  // measured: 63.94 us event to event
  EXPECT_GT(t.dram, t.issue);
  EXPECT_DOUBLE_EQ(t.occupancy, 1.0);
}

TEST(KernelTime, one_block_is_bound_by_its_own_latency) {
  Counters c = launch(1, 32);
  c.block_latency_cycles_max = c.block_latency_cycles_sum = 9'900'000;  // 5 ms at 1980 MHz
  const KernelTime t = kernel_time(h200(), c, 32);
  EXPECT_EQ(t.bound_by, "latency");
  EXPECT_NEAR(t.ns, 5'000'000, 5'000);
}

TEST(KernelTime, atomics_on_one_address_queue_up) {
  Counters c = launch(1u << 16, 256);
  c.atomic_requests = c.warps;
  c.atomic_lanes = c.atomic_hottest_float = 1u << 24;
  const KernelTime t = kernel_time(h200(), c, 8);
  EXPECT_EQ(t.bound_by, "atomics on one address");
  EXPECT_NEAR(t.ns, 29'517'000, 0.02 * 29'517'000);  // measured: red_atomic 2^24
}

TEST(KernelTime, bank_conflicts_cost_their_wavefronts) {
  Counters c = launch(132 * 4, 256);
  c.shared_load = {132ull * 32768, 132ull * 32768 * 32};
  const KernelTime t = kernel_time(h200(), c, 8);
  EXPECT_NEAR(t.ns, 531'000, 0.05 * 531'000);  // measured: bank stride=32, 535.23 us event to event
}

TEST(KernelTime, more_of_anything_never_takes_less) {
  const Counters base = vector_add(1u << 20, 256);
  const auto before = kernel_time(h200(), base, 8).ns;
  Counters more = base;
  more.inst_executed *= 10;
  EXPECT_GE(kernel_time(h200(), more, 8).ns, before);
  more = base;
  more.global_store.sectors *= 8;
  EXPECT_GE(kernel_time(h200(), more, 8).ns, before);
  EXPECT_GE(kernel_time(h200(), base, 2).ns, before);
}

TEST(KernelTime, what_is_warm_in_the_l2_is_faster) {
  const Counters cold = vector_add(1u << 20, 256);
  Counters warm = cold;
  warm.first_read_sectors_l2_hit = warm.first_read_sectors_dram;
  warm.first_read_sectors_dram = 0;
  EXPECT_LT(kernel_time(h200(), warm, 8).ns, kernel_time(h200(), cold, 8).ns);
}

TEST(Profile, is_found_by_name_with_and_without_version) {
  EXPECT_EQ(name_of(find_profile("h200")), "h200@1");
  EXPECT_EQ(name_of(find_profile("h200@1")), "h200@1");
}

TEST(Profile, an_unknown_one_is_refused_with_the_known_ones) {
  try {
    find_profile("h300@7");
    FAIL() << "no exception";
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("h200@1"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace workbook::model
