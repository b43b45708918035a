// Handlers that are not worth vector code: special registers, addresses known only at run time, packing,
// cp.async.
#pragma once

#include "sim/code.h"

namespace workbook::sim {

void read_special(Warp&, const Inst&, std::uint32_t mask);    // Inst::sub: ptx::Special
void frame_address(Warp&, const Inst&, std::uint32_t mask);   // d = start of the frame in local memory + imm
void dynamic_shared(Warp&, const Inst&, std::uint32_t mask);  // d = start of dynamic shared memory + imm
void pack_vector(Warp&, const Inst&, std::uint32_t mask);     // d = the elements of the list, lowest first
void unpack_vector(Warp&, const Inst&, std::uint32_t mask);   // the elements of the list = parts of a
void is_space(Warp&, const Inst&, std::uint32_t mask);        // Inst::sub: ptx::Space
void no_effect(Warp&, const Inst&, std::uint32_t mask);
void copy_async(Warp&, const Inst&, std::uint32_t mask);  // a: shared address, b: global address, imm: bytes

}  // namespace workbook::sim
