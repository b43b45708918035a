// The commands of a teacher. Each returns the exit code of the program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"

namespace workbook::cli {

struct GradeOptions {
  std::string path, out = "grades", from, isolation = "auto", seed_file, engine = "local";
  std::vector<std::string> formats, only;
  bool one = false, as_class = false;
  double run_seconds = 0;
  int hidden_sizes = -1;  // -1: three with a secret seed, else none
  unsigned jobs = 0;
  std::string partition, gres, time = "02:00:00", task;
  std::vector<std::string> sbatch;
  unsigned throttle = 0;
  long index = -1;
};

int grade(Context&, const GradeOptions&, const std::vector<std::string>& typed);
int handout(Context&, const std::string& to, const std::vector<std::string>& ci);
int calibrate(Context&, const std::vector<std::string>& names);

}  // namespace workbook::cli
