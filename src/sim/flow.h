// What changes the splits of a warp: divergence, meeting, calls, barriers, ends. Used by the loop in
// warp.cpp.
//
// All functions work on the current split (warp.splits[warp.current], whose pc is up to date). A function
// that returns bool says whether there is still a current split to go on with.
#pragma once

#include "sim/block.h"

namespace workbook::sim {

struct Part {
  std::uint32_t mask = 0;
  std::uint32_t pc = 0;
};

// The lanes go different ways and meet again at `meet`; the first part goes on as the current split.
void diverge(Warp&, const Part* parts, std::size_t count, std::uint32_t meet);
// The current split is at its node.
bool arrive(Warp&);
// Lanes that wait at nodes for lanes that spin go on without them. False when there are none.
bool let_waiting_go(Warp&);
// Splits that stand at one place after that become one again. False when there are none.
bool meet_again(Warp&);
// Lanes that don't execute the current instruction wait behind it; the current split goes on with `mask`
// alone.
void set_aside_others(Warp&, std::uint32_t mask);
// branch_index, call, call_indirect, call_system, ret, exit, barrier.
bool control(Warp&, const Inst&, std::uint32_t mask);

// system_calls.cpp. Arguments and results are in the caller's frame.
void system_call(Warp&, const Inst&, std::uint32_t mask);

}  // namespace workbook::sim
