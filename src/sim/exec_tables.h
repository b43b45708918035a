// The finders of one instruction set; exec_table.cpp gathers them.
#pragma once

#include "sim/exec_common.h"

namespace workbook::sim::WORKBOOK_EXEC {

Handler find_integer(const Instruction&);
Handler find_bits(const Instruction&);
Handler find_float(const Instruction&);
Handler find_half(const Instruction&);
Handler find_convert(const Instruction&, bool natural);
Handler find_memory(const AccessShape&, bool store);
Handler find_collective(const Instruction&);

}  // namespace workbook::sim::WORKBOOK_EXEC
