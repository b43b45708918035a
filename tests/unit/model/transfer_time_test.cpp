// Transfers and allocations against the measured points they come from.
#include <gtest/gtest.h>

#include "model/profile.h"

namespace workbook::model {
namespace {

const Profile& h200() {
  return find_profile("h200@1");
}
constexpr auto to_device = CopyDirection::host_to_device;
constexpr auto to_host = CopyDirection::device_to_host;

TEST(TransferTime, pinned_copies_run_at_the_bus_rate) {
  const auto ns = copy_ns(h200(), to_device, HostMemory::pinned, 256u << 20);
  EXPECT_NEAR(ns, 4'842'500, 0.02 * 4'842'500);  // measured: H2D pinned 262144KiB
}

TEST(TransferTime, pageable_copies_follow_the_measured_curve) {
  EXPECT_EQ(copy_ns(h200(), to_device, HostMemory::pageable, 16u << 20), 1'201'400);
  EXPECT_EQ(copy_ns(h200(), to_host, HostMemory::pageable, 16u << 20), 1'250'000);
  const auto between = copy_ns(h200(), to_device, HostMemory::pageable, 64u << 20);
  EXPECT_GT(between, 4 * 1'201'400);  // measured: 5.0 to 9.1 ms
  EXPECT_LT(between, 9'100'000);
}

TEST(TransferTime, grows_with_the_size) {
  for (const auto memory : {HostMemory::pageable, HostMemory::pinned}) {
    for (const auto direction : {to_device, to_host}) {
      std::int64_t last = 0;
      for (std::uint64_t bytes = 1; bytes <= (1ull << 32); bytes *= 4) {
        const auto ns = copy_ns(h200(), direction, memory, bytes);
        EXPECT_GE(ns, last) << bytes;
        last = ns;
      }
    }
  }
}

TEST(TransferTime, nothing_costs_nothing) {
  EXPECT_EQ(copy_ns(h200(), to_device, HostMemory::pinned, 0), 0);
}

TEST(TransferTime, an_asynchronous_call_returns_early_only_from_pinned_memory) {
  const std::uint64_t bytes = 16u << 20;
  EXPECT_LT(copy_call_ns(h200(), to_device, HostMemory::pinned, bytes) * 10,
            copy_ns(h200(), to_device, HostMemory::pinned, bytes));
  EXPECT_EQ(copy_call_ns(h200(), to_device, HostMemory::pageable, bytes),
            copy_ns(h200(), to_device, HostMemory::pageable, bytes));
}

TEST(AllocationTime, a_large_block_costs_a_mapping) {
  EXPECT_LT(malloc_ns(h200(), 1u << 20), 5'000);
  EXPECT_GT(malloc_ns(h200(), 4u << 20), 50'000);
}

// Two machines: 5.1 and 7.2 ms for 16 MiB, 94 to 137 ms for 256 MiB; a quarter to either side of them.
TEST(AllocationTime, pinning_lies_between_two_machines) {
  EXPECT_NEAR(pin_ns(h200(), 16u << 20), 6'150'000, 1'050'000);
  EXPECT_NEAR(pin_ns(h200(), 256u << 20), 115'000'000, 21'000'000);
  EXPECT_NEAR(unpin_ns(h200(), 16u << 20), 2'150'000, 550'000);
}

TEST(AllocationTime, pages_that_are_there_are_cheap_to_pin) {
  EXPECT_LT(5 * register_ns(h200(), 16u << 20), pin_ns(h200(), 16u << 20));
  EXPECT_LT(5 * register_ns(h200(), 256u << 20), pin_ns(h200(), 256u << 20));
}

}  // namespace
}  // namespace workbook::model
