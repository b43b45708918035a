// mbarrier: barrier objects of 64 bits in shared memory, at which threads arrive and which they ask for their
// phase.
//
// The object, opaque to a program, is here: in bits 0 to 19 the arrivals that the phase still waits for, in
// bits 20 to 39 how many each phase waits for, in bit 40 the parity of the phase, in bit 41 that it is one.
// The state that an arrival gives is the object as it was. A phase that is complete begins the next at once.
//
// Waiting is the program's own loop: test_wait and try_wait say at once how it stands. Transactions
// (expect_tx, complete_tx), which only bulk copies bring, are not supported.
#pragma once

#include "sim/code.h"

namespace workbook::sim {

// Inst::sub of the handler.
enum class MbarrierOp : std::uint8_t {
  init,  // b: count
  inval,
  arrive,         // b: count; d: state, or no_index
  drop,           // as arrive, and the next phases wait for so many fewer
  join,           // arrive of cp.async: one more is waited for, and that one has arrived
  test_state,     // b: state; d: predicate
  test_parity,    // b: parity; d: predicate
  pending_count,  // b: state; d: count
};

void mbarrier(Warp&, const Inst&, std::uint32_t mask);

}  // namespace workbook::sim
