#include "sim/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <vector>

namespace workbook::sim {
namespace {

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

TEST(Memory, AlignsAndKeepsAGap) {
  Memory memory(1 << 30);
  const std::uint64_t a = memory.allocate(100, AllocationKind::device),
                      b = memory.allocate(1, AllocationKind::device);
  EXPECT_EQ(a % 256, 0u);
  EXPECT_EQ(b % 256, 0u);
  EXPECT_GE(b, a + 256 + 256);
  EXPECT_EQ(memory.used(), 512u);
  EXPECT_EQ(memory.live_count(), 2u);
}

TEST(Memory, TheGapIsAsLargeAsTheAllocation) {
  Memory memory(1 << 30);
  std::uint64_t before = 0, end = 0;
  for (const std::uint64_t size : {1ull, 4000ull, 65536ull, 300'001ull, 5ull << 20, 40ull << 20, 8ull}) {
    const std::uint64_t a = memory.allocate(size, AllocationKind::device);
    ASSERT_NE(a, 0u);
    const std::uint64_t wanted = std::clamp<std::uint64_t>(before, 64u << 10, 16u << 20);
    if (end != 0) EXPECT_GE(a - end, wanted) << size;
    before = size;
    end = a + size;
  }
}

TEST(Memory, GapsNeverCostAnAllocation) {
  Memory memory(1 << 20);  // 256 bytes 4096 times: with wide gaps more than the range has
  for (int i = 0; i < 4096; ++i) ASSERT_NE(memory.allocate(256, AllocationKind::device), 0u) << i;
  EXPECT_EQ(memory.used(), 1u << 20);
  EXPECT_EQ(memory.allocate(1, AllocationKind::device), 0u);
}

TEST(Memory, SmallBlocksComeAndGoInLittleMemory) {
  Memory memory(1ull << 30);
  const std::uint64_t before = resident_bytes();
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t a = memory.allocate(1024, AllocationKind::device);
    memory.fill(a, 1, 1024);
    memory.free(a);
  }
  EXPECT_LT(resident_bytes(), before + (512u << 20));
}

TEST(Memory, UnwrittenBytesReadAsPoison) {
  Memory memory(1 << 30);
  const std::uint64_t a = memory.allocate(16, AllocationKind::device);
  const std::uint32_t value = 7;
  memory.write(a + 4, &value, 4);
  std::uint32_t got[4];
  memory.read(a, got, 16);
  EXPECT_EQ(got[0], 0xffffffffu);
  EXPECT_EQ(got[1], 7u);
  EXPECT_EQ(memory.initialised_bytes(a, 16), 4u);
}

TEST(Memory, FreeTellsMistakesApart) {
  Memory memory(1 << 30);
  const std::uint64_t a = memory.allocate(64, AllocationKind::device);
  EXPECT_EQ(memory.free(a + 8), Memory::FreeResult::not_the_base);
  EXPECT_EQ(memory.free(a), Memory::FreeResult::ok);
  EXPECT_EQ(memory.free(a), Memory::FreeResult::already_freed);
  EXPECT_EQ(memory.free(12345), Memory::FreeResult::never_allocated);
}

TEST(Memory, FreedAllocationIsStillFound) {
  Memory memory(1 << 30);
  const std::uint64_t a = memory.allocate(64, AllocationKind::device, "x");
  memory.free(a);
  ASSERT_NE(memory.find(a + 63), nullptr);
  EXPECT_TRUE(memory.find(a)->freed);
  const auto fault = memory.check_range(a, 4, false);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::use_after_free);
  EXPECT_EQ(fault->allocation.name, "x");
}

TEST(Memory, AddressesAreNotReusedSoon) {
  Memory memory(1 << 20);
  const std::uint64_t a = memory.allocate(1 << 16, AllocationKind::device);
  memory.free(a);
  EXPECT_NE(memory.allocate(1 << 16, AllocationKind::device), a);
}

TEST(Memory, AlternatingAllocationsNeverRunOut) {
  Memory memory(1 << 20);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t a = memory.allocate(900'000, AllocationKind::device);
    ASSERT_NE(a, 0u) << i;
    memory.fill(a, 1, 900'000);
    ASSERT_EQ(memory.free(a), Memory::FreeResult::ok);
  }
}

TEST(Memory, ReusedAddressesAreUnwritten) {
  Memory memory(1 << 20);
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t a = memory.allocate(70'001, AllocationKind::device);
    ASSERT_EQ(memory.initialised_bytes(a, 70'001), 0u) << i;
    memory.fill(a, 0, 70'001);
    memory.free(a);
  }
}

TEST(Memory, TooMuchGivesNothing) {
  Memory memory(1 << 20);
  EXPECT_EQ(memory.allocate((1 << 20) + 1, AllocationKind::device), 0u);
  EXPECT_NE(memory.allocate(1 << 20, AllocationKind::device), 0u);
  EXPECT_EQ(memory.allocate(1, AllocationKind::device), 0u);
}

TEST(Memory, LargeAllocationsCostNothingUntilTouched) {
  const std::uint64_t before = resident_bytes();
  Memory memory(150'754'820'096);
  const std::uint64_t a = memory.allocate(16ull << 30, AllocationKind::device);
  ASSERT_NE(a, 0u);
  const int value = 1;
  memory.write(a + (8ull << 30), &value, 4);
  EXPECT_LT(resident_bytes() - before, 32u << 20);
}

TEST(Memory, FreeGivesTheBytesBack) {
  Memory memory(1ull << 30);
  const std::uint64_t a = memory.allocate(64 << 20, AllocationKind::device);
  memory.fill(a, 1, 64 << 20);
  const std::uint64_t full = resident_bytes();
  memory.free(a);
  EXPECT_LT(resident_bytes() + (48u << 20), full);
}

TEST(Memory, CopyCarriesWhatWasWritten) {
  Memory memory(1 << 30);
  const std::uint64_t a = memory.allocate(64, AllocationKind::device),
                      b = memory.allocate(64, AllocationKind::device);
  memory.fill(a + 3, 5, 10);
  memory.copy(b, a, 64);
  EXPECT_EQ(memory.initialised_bytes(b, 64), 10u);
  EXPECT_EQ(memory.initialised_bytes(b + 3, 10), 10u);
  memory.copy(b + 2, b, 20);  // overlapping
  EXPECT_EQ(memory.initialised_bytes(b + 5, 10), 10u);
}

TEST(Memory, RangesAreChecked) {
  Memory memory(1 << 30);
  const std::uint64_t a = memory.allocate(100, AllocationKind::device);
  EXPECT_FALSE(memory.check_range(a, 100, true));
  const auto past = memory.check_range(a, 101, true);
  ASSERT_TRUE(past);
  EXPECT_EQ(past->kind, FaultKind::out_of_bounds);
  int host = 0;
  const auto foreign = memory.check_range(reinterpret_cast<std::uint64_t>(&host), 4, false);
  ASSERT_TRUE(foreign);
  EXPECT_EQ(foreign->kind, FaultKind::host_pointer);
  memory.map_host(&host, sizeof host);
  EXPECT_FALSE(memory.check_range(reinterpret_cast<std::uint64_t>(&host), 4, false));
  memory.unmap_host(&host);
}

TEST(Memory, BehindMappedMemoryIsNobodys) {
  Memory memory(1 << 30);
  std::vector<char> host(8192);
  memory.map_host(host.data(), 100, 3996);
  const auto at = reinterpret_cast<std::uint64_t>(host.data());
  const auto past = memory.check_range(at + 100, 4, true);
  ASSERT_TRUE(past);
  EXPECT_EQ(past->kind, FaultKind::out_of_bounds);
  EXPECT_EQ(past->allocation.offset, 100);
  EXPECT_EQ(memory.check_range(at + 4096, 4, true)->kind, FaultKind::host_pointer);
}

TEST(Memory, ManyRowsTooFarAreStillBehindTheirArray) {
  Memory memory(1 << 30);
  const std::uint64_t a = memory.allocate(1 << 20, AllocationKind::device, "a");
  const std::uint64_t b = memory.allocate(1 << 20, AllocationKind::device, "b");
  EXPECT_EQ(memory.nearest(a + (1 << 20) + (700 << 10))->name, "a");
  EXPECT_EQ(memory.nearest(b - 4)->name, "b");
  EXPECT_EQ(memory.nearest(b - 4096)->name, "b");
}

TEST(Memory, NearestNamesTheNeighbour) {
  Memory memory(1 << 30);
  const std::uint64_t a = memory.allocate(100, AllocationKind::device, "a");
  ASSERT_NE(memory.nearest(a + 101), nullptr);
  EXPECT_EQ(memory.nearest(a + 101)->name, "a");
  EXPECT_EQ(memory.nearest(a - 4)->name, "a");
  EXPECT_EQ(memory.nearest(a + (8 << 20)), nullptr);
}

}  // namespace
}  // namespace workbook::sim
