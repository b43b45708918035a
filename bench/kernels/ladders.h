// All rungs of all ladders, at two sizes: large (several times L2, for a GPU), and small enough for the
// simulated device to run in a second or two.
#pragma once

#include <vector>

#include "bench/kernels/timing.h"

namespace workbook::bench {

enum class Scale { large, small };

struct Ladder {
  const char* name;
  std::vector<Case> (*cases)(Scale);
};
const std::vector<Ladder>& ladders();

}  // namespace workbook::bench
