// The dotted words behind an opcode, unpacked into Modifiers. Which words an opcode may have is a table here;
// a word that it may not have is an error, except cache and eviction hints, which change no result.
#pragma once

#include <optional>
#include <string_view>

#include "ptx/ir.h"

namespace workbook::ptx {

// ".u32" -> Type::u32; without the dot. Nothing for a word that is no type.
std::optional<Type> find_type(std::string_view word);
std::string_view name_of(Type type);

// `dotted` is what follows the opcode, e.g. ".global.v2.f32". Returns the first word that doesn't belong
// there, or an empty view when all is well.
std::string_view apply_modifiers(Opcode op, std::string_view dotted, Modifiers& mod);

}  // namespace workbook::ptx
