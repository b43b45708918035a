// Time bounds as chapter.toml states them.
//
//   [[exercise]]
//   id = "2.1"
//   stem = "01_one_thread_per_element"
//   [exercise.bounds.roof]
//   at_most = 2.5            # learner / baseline
//   at_most_on_gpu = 2.6     # where it differs
//   rule = "0.40 of the roof"
//   reference = 1.6          # the reference solution's ratio on the simulated device
//   question = "..."
#pragma once

#include <optional>
#include <string>

namespace workbook::judge {

struct BoundRule {
  double at_most = 0;
  double at_most_on_gpu = 0;  // 0: as on the simulated device
  std::string rule;
  double reference = 0;  // 0: unknown
  std::string question;
};

// Throws std::runtime_error, with what to write where, when the file or the bound is missing or wrong.
BoundRule read_bound(const std::string& chapter_toml, const std::string& exercise, const std::string& name);

}  // namespace workbook::judge
