// What `bench` found, and the page that shows it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace workbook::cli {

// Microseconds, with three digits and the unit that suits: "8.21 us", "1.85 ms".
std::string time_words(double us);

// The page in 76 columns for an object of schema workbook-bench/1.
std::string bench_page(const nlohmann::ordered_json& found);

// Whole programs: each is run again and again, from its start to its end. Gives the parts of workbook-bench/1
// that are measured; `against` may be empty.
nlohmann::ordered_json bench_programs(Context& context, const grader::CheckOptions& options,
                                      const fs::path& program, const fs::path& against,
                                      const BenchOptions& wish);

}  // namespace workbook::cli
