#pragma once

#include "sim/code.h"

namespace workbook::sim {

// The handler of an atom or red instruction; null when the combination of type and operation is not
// supported.
Handler find_atomic(const ptx::Instruction&);

}  // namespace workbook::sim
