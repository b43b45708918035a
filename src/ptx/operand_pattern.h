// What operands an instruction takes, as a short string with one letter for each:
//
//   D T    destination, source: the instruction's type
//   W w    the same, but twice as wide with .wide
//   S      source of the source type
//   I i    32-bit destination, source
//   P p    predicate destination, source
//   L l    destination, source that may be wider than the type (ld, st, cvt); vectors allowed
//   k      like l, of the source type
//   A      address
//   N      a literal
//   *      anything
//   ?      what follows may be missing
//   +      anything more may follow
#pragma once

#include <string_view>

#include "ptx/ir.h"

namespace workbook::ptx {

std::string_view pattern_of(Opcode op, const Modifiers& mod);

}  // namespace workbook::ptx
