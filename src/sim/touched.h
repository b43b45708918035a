// Which bytes of global memory a launch read and wrote: exactly, for the runtime above, which asks whether
// another operation may use them at the same time (cudart/hazards.h).
//
// Off unless Memory::Impl::note_touched is set, because it costs a little at every access. Reads and plain
// writes of device memory leave a bit for each byte; the sectors they lie in are noted once each (by the
// stamps of the L2 model), so the bits are found and taken back without a search. Atomic operations count as
// reads: two of them do not conflict. Volatile reads, which wait for somebody else's write on purpose, count
// as nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/device.h"

namespace workbook::sim {

struct Inst;
struct LaunchState;
struct Pattern;
struct Worker;

struct SectorRun {
  std::uint64_t first = 0, last = 0;
};

// An access that is no fault; after its sectors were counted.
void note_touched(Worker&, const Inst&, const Pattern&, const std::uint64_t* address, bool dense, bool device,
                  bool is_write);
// A sector was touched for the first time in this launch, in this way.
void note_sector(Worker&, std::uint64_t sector);
// Moves what a worker noted to the list, and clears the bits.
void take_touched(LaunchState&, Worker&, std::vector<SectorRun>& sectors, std::vector<Touched>& ranges);
// Sorted, without overlaps of one kind.
std::vector<Touched> ranges_of(LaunchState&, std::vector<SectorRun> sectors, std::vector<Touched> ranges);

}  // namespace workbook::sim
