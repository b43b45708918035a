// What the executor sees of the device memory: where the bytes live, which were written, what L2 may hold.
//
// Four mappings, all reserved for the whole range and filled by the kernel on first touch:
//   device range   no access rights; its addresses are what programs see
//   backing        the bytes; backing = device address + a constant
//   init bits      one bit a byte: was it ever written
//   L2 stamps      one 32-bit stamp per 32-byte sector, see `L2Stamp`
//
// The range is half as large again as the capacity, so that freed addresses can rest in quarantine and every
// allocation has a gap behind it. Gaps are never a reason to refuse: when they fill the range, they are
// tight.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "sim/memory.h"

namespace workbook::sim {

inline constexpr std::uint64_t allocation_granularity = 256;
// Never-allocated bytes behind every allocation: as many as it has, within limits, so that an array which is
// overrun by a row, a tile or once its size meets nothing, not the neighbour. Whole multiples of the smallest
// and 256 more: where arrays lie within 64 KiB, and with it which sets of L1 they share, is as in dense
// packing.
inline constexpr std::uint64_t smallest_gap = 64u << 10, largest_gap = 16u << 20, tight_gap = 256;
inline constexpr std::uint64_t sector_bytes = 32;

// A stamp says which operation (launch or host copy) touched a sector last, what it did, and whether the
// sector was still in L2 when that operation began. The order in which the blocks of one launch touch a
// sector does not change the stamp they leave together.
namespace l2 {
inline constexpr std::uint32_t read = 1, written = 2, resident = 4;
inline constexpr int shift = 3;
}  // namespace l2

// A live allocation as the executor looks it up: [base, end) and where its bytes are.
struct Span {
  std::uint64_t base = 1, end = 0;  // empty: holds nothing
  std::uint64_t delta = 0;          // backing = address + delta (modulo 2^64)
  bool device = false;              // has init bits and stamps; false for mapped host memory
  bool read_only = false;
};

struct Memory::Impl {
  explicit Impl(std::uint64_t capacity);
  ~Impl();

  std::uint64_t capacity = 0;
  std::uint64_t range = 0;             // bytes of address space
  std::uint64_t base = 0, end = 0;     // the device range
  std::uint8_t* backing = nullptr;     // of `base`
  std::uint64_t* init_bits = nullptr;  // bit (address - base)
  std::uint32_t* stamps = nullptr;     // [(address - base) / 32]
  std::uint64_t* owners = nullptr;     // per sector, of large launches: see race.h, SectorOwners
  std::uint64_t next_ticket = 2;       // of SectorOwners
  bool note_touched = false;           // the next two exist, see touched.h
  std::uint64_t *read_bits = nullptr, *written_bits = nullptr;  // as init_bits; all 0 between launches

  std::map<std::uint64_t, Allocation> table;   // device allocations by base, live and in quarantine
  std::map<std::uint64_t, Allocation> mapped;  // host memory by its own address
  std::deque<std::uint64_t> quarantine;        // bases, oldest first
  std::uint64_t quarantined = 0;               // bytes
  std::uint64_t next = 0;                      // where the next allocation is tried
  std::uint64_t used = 0, live = 0, next_id = 1;
  std::uint64_t version = 0;  // changes with the tables

  // L2: operations are numbered; the clock counts sectors brought in.
  std::uint64_t l2_sectors = 62'914'560 / sector_bytes;
  std::uint64_t l2_clock = 0;
  std::uint32_t operation = 1;                // the current one; 0 stands for never
  std::uint32_t flushed_before = 1;           // operations below are forgotten
  std::uint32_t first_attempt = 0;            // operation that the current one runs again, see launch.cpp
  std::vector<std::uint64_t> clock_at{0, 0};  // clock when operation i began

  // Fills that a benchmark repeats to empty the cache: where nothing has been touched since, the bytes are
  // there.
  struct Fill {
    std::uint64_t address, size;
    int byte;
    std::uint64_t version;    // of the tables
    std::uint32_t operation;  // that did it last
  };
  std::vector<Fill> fills;  // the latest few large ones
  bool refill(std::uint64_t address, int byte, std::uint64_t size);
  void note_fill(std::uint64_t address, int byte, std::uint64_t size);

  bool on_device(std::uint64_t address) const { return address - base < range; }
  std::uint8_t* bytes(std::uint64_t address) const { return backing + (address - base); }
  std::uint32_t* stamp(std::uint64_t address) const { return stamps + (address - base) / sector_bytes; }

  std::vector<Span> spans() const;  // live allocations, sorted by base
  void begin_operation();           // a launch or a host copy begins
  // Was a sector with this stamp still in L2 when the current operation began?
  bool was_resident(std::uint32_t stamp) const {
    const std::uint32_t op = stamp >> l2::shift;
    if (op == first_attempt && op != 0) return (stamp & l2::resident) != 0;
    return op >= flushed_before && op < operation && clock_at[operation] - clock_at[op] < l2_sectors;
  }
  void touch(std::uint64_t address, std::uint64_t size, std::uint32_t how);

  bool all_initialised(std::uint64_t address, std::uint64_t size) const;
  void mark(std::uint64_t address, std::uint64_t size, bool initialised);
  std::uint64_t place(std::uint64_t size, std::uint64_t most_gap);
  void evict_oldest();
  void forget_pages(std::uint64_t address, std::uint64_t size);
};

}  // namespace workbook::sim
