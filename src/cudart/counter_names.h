// Counters of a launch by Nsight Compute's names, for the trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/counters.h"
#include "sim/device.h"

namespace workbook::cudart {

// Parallel arrays, in a fixed order.
void list_counters(const sim::Counters& counters, const sim::Limits& limits, std::vector<std::string>& names,
                   std::vector<std::uint64_t>& values);

}  // namespace workbook::cudart
