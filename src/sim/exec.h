// How decode.cpp finds the function that executes an instruction.
//
// The exec_*.cpp files are compiled twice, for plain x86-64 and for AVX2 with FMA; `handlers` gives the set
// that this processor can run. `find` returns null for a form that is not supported.
#pragma once

#include "sim/code.h"

namespace workbook::sim {

struct HandlerSet {
  Handler (*integer)(
      const ptx::Instruction&);  // arithmetic, bits, compare, select of integers and predicates
  Handler (*floating)(const ptx::Instruction&);               // f32, f64
  Handler (*half)(const ptx::Instruction&);                   // f16, bf16, packed
  Handler (*convert)(const ptx::Instruction&, bool natural);  // cvt; both registers have their type's width
  Handler (*memory)(const AccessShape&, bool store);          // ld, st
  Handler (*collective)(const ptx::Instruction&);             // shfl, vote, match, redux, activemask
};
const HandlerSet& handlers();

}  // namespace workbook::sim
