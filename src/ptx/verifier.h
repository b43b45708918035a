// Checks of one resolved instruction: number and kinds of operands, and register types against the
// instruction's type.
#pragma once

#include <string>

#include "ptx/ir.h"

namespace workbook::ptx {

// One sentence about what is wrong, or an empty string. Labels need not be resolved yet.
std::string find_mistake(const Instruction& instruction, const Function& function, const Module& module);

}  // namespace workbook::ptx
