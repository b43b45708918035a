// The initial value of a variable: a number, or nested braces of numbers and addresses.
#pragma once

#include "ptx/ir.h"
#include "ptx/lexer.h"

namespace workbook::ptx {

// Reads what follows the `=`. Fills init and relocations; with `open_ended` (`x[] = {...}`) the size too.
// An address is `symbol`, `symbol+8`, `generic(symbol)` or `generic(symbol)+8`, in an element of 4 or 8
// bytes, or byte for byte as `0xFF(symbol), 0xFF00(symbol), ...`, all eight in order.
void parse_initial_value(Lexer& lex, const Module& module, Variable& variable, bool open_ended);

}  // namespace workbook::ptx
