// What this machine has to run CUDA programs on.
#pragma once

#include <string>
#include <vector>

#include "grader/files.h"

namespace workbook::grader {

struct Gpu {
  bool usable = false;
  std::string name;  // "NVIDIA H200"
  int count = 0;
  std::vector<std::string> uuids;
  int driver_version = 0;  // 13000
  std::string problem;     // why not, in one sentence; empty when there is simply none
};

// Asks the driver in a process of its own, so that a driver that hangs or crashes does us no harm. `self` is
// this program, which answers `--probe-gpu`.
Gpu find_gpu(const fs::path& self);

// The answering side: prints what the driver says, one fact a line. Returns the exit code.
int probe_gpu();

// "auto" becomes "gpu" or "simulated"; the others stay.
std::string settle_device(const std::string& wish, const fs::path& self);

}  // namespace workbook::grader
