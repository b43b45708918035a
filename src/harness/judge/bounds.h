// Time bounds as chapter.toml states them: see base/bound_rule.h.
#pragma once

#include <string>

#include "base/bound_rule.h"

namespace workbook::judge {

using BoundRule = base::BoundRule;

// Throws std::runtime_error, with what to write where, when the file or the bound is missing or wrong.
BoundRule read_bound(const std::string& chapter_toml, const std::string& exercise, const std::string& name);

}  // namespace workbook::judge
