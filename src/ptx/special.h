// The names of the special registers: `%tid.x` and its kind.
#pragma once

#include <optional>
#include <string_view>

#include "ptx/ir.h"

namespace workbook::ptx {

struct SpecialName {
  Special special;
  std::uint32_t number;  // of %envreg3; else no_index
};

std::optional<SpecialName> find_special(std::string_view name);
std::string_view name_of(Special special);  // with the percent sign; "%envreg" without its number

}  // namespace workbook::ptx
