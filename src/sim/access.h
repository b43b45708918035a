// Checking and counting an access of a warp, before the bytes move.
//
// exec_memory.cpp computes the addresses and moves the bytes; everything that is not per-lane vector code is
// here: which allocation, aligned, initialised, races, counters, caches. Each function returns false when the
// access is a fault (already recorded in the block).
#pragma once

#include <cstdint>
#include <string>

#include "sim/block.h"

namespace workbook::sim {

enum class PatternKind : std::uint8_t { general, contiguous, uniform };

// The addresses of the lanes in `mask`.
struct Pattern {
  PatternKind kind = PatternKind::general;
  std::uint32_t mask = 0;
  std::uint32_t bytes = 0;          // of one lane
  std::uint64_t low = 0, high = 0;  // [low, high) covers all lanes
  std::uint64_t bits = 0;           // OR of all addresses, for alignment
  std::uint32_t heads = 0;          // lanes whose sector is not that of the lane before (general pattern)
  bool distinct = false;            // no two of the heads are in one sector
};

std::uint32_t sector_heads(const std::uint64_t* address,
                           std::uint32_t mask);  // for those who don't have them
// Of these lanes the first of each sector.
std::uint32_t distinct_heads(const std::uint64_t* address, std::uint32_t heads);

// Where the bytes are: address + delta, or, when lanes are in different allocations, address + deltas[lane].
struct Placed {
  std::uint64_t delta = 0;
  bool split = false;
  std::uint64_t deltas[lanes];
};

bool prepare_global(Warp&, const Inst&, const std::uint64_t* address, const Pattern&, bool is_write, Placed&);
// After `prepare_global` for a store, before the bytes move: `silent` lanes write what is there already.
bool check_global_race(Warp&, const Inst&, const std::uint64_t* address, const Pattern&, bool plain_write,
                       std::uint32_t silent);
bool prepare_shared(Warp&, const Inst&, const std::uint32_t* offset, std::uint32_t mask, std::uint32_t bytes,
                    bool is_write);
bool check_shared_race(Warp&, const Inst&, const std::uint32_t* offset, std::uint32_t mask,
                       std::uint32_t bytes, bool plain_write, std::uint32_t silent);
bool prepare_local(Warp&, const Inst&, const std::uint64_t* offset, std::uint32_t mask, std::uint32_t bytes,
                   bool is_write);

// Records a fault of the lanes in `mask` (the first of them is named).
void raise(Warp&, const Inst&, FaultKind, std::uint32_t mask, std::uint64_t address, std::uint32_t bytes,
           bool is_write);
void raise_race(Warp&, const Inst&, FaultKind, const RaceParty&, std::uint64_t address, std::uint32_t bytes,
                bool is_write);

// A collective of lanes whose mask does not name all of them (`strangers`).
void raise_strangers(Warp&, const Inst&, std::uint32_t strangers);
// A collective of the lanes `here`, whose mask names `absent` too.
void raise_absent(Warp&, const Inst&, std::uint32_t here, std::uint32_t absent);
// A shuffle of these lanes read from `sources`, which the mask names and which have ended.
void note_absent_source(Warp&, const Inst&, std::uint32_t readers, std::uint32_t sources,
                        std::uint32_t absent);
// "lane 3", "lanes 8 to 31", "lanes 1, 4 to 6 and 9"
std::string lanes_text(std::uint32_t mask);
std::string absent_text(
    std::uint32_t absent);  // "lanes 8 to 31 are in the mask and did not come to this line"

// Passes through the banks for one request.
std::uint32_t shared_wavefronts(const std::uint32_t* offset, std::uint32_t mask, std::uint32_t bytes);
// The window a generic address belongs to.
ptx::Space space_of(std::uint64_t address);

}  // namespace workbook::sim
