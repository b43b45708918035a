// A time bound, as a table [exercise.bounds.NAME] of chapter.toml states it. The grader reads it with the
// manifest, and tells a mistake with its line; the judge reads the one that a check asks for. Which number
// counts on which device, and in which words, is decided here for both.
//
//   [exercise.bounds.roof]
//   at_most = 2.5            # learner / baseline
//   at_most_on_gpu = 2.6     # where it differs
//   rule = "0.40 of the roof"
//   rule_on_gpu = "0.38 of the roof"
//   reference = 1.6          # the reference solution's ratio on the simulated device
//   question = "..."
#pragma once

#include <string>
#include <utility>

namespace workbook::base {

struct BoundRule {
  std::string name;           // "roof"
  double at_most = 0;         // learner / baseline
  double at_most_on_gpu = 0;  // 0: as on the simulated device
  double naive = 0;  // what a first right answer reaches: no points for time from there on; 0: not stated
  std::string naive_from;        // what that is: "starter", "wrong/naive.cu", "baseline"; verify looks
  double reference = 0;          // what the reference solution reaches; 0: not stated
  std::string rule;              // "2.5 x the device-to-device copy"
  std::string rule_on_gpu;       // where the words differ, as the numbers do
  std::string question;          // shown when the bound is missed
  std::string margin_exception;  // why the reference may come closer than 0.8 of the bound

  double in_use(bool on_gpu) const { return on_gpu && at_most_on_gpu > 0 ? at_most_on_gpu : at_most; }
  const std::string& words(bool on_gpu) const { return on_gpu && !rule_on_gpu.empty() ? rule_on_gpu : rule; }
};

// `Table` has need<T>(key) and want<T>(key, otherwise), and says itself what is wrong with a value.
template <class Table>
BoundRule bound_rule(std::string name, Table& in) {
  BoundRule rule;
  rule.name = std::move(name);
  rule.at_most = in.template need<double>("at_most");
  rule.at_most_on_gpu = in.template want<double>("at_most_on_gpu", 0);
  rule.rule = in.template need<std::string>("rule");
  rule.rule_on_gpu = in.template want<std::string>("rule_on_gpu", "");
  rule.reference = in.template want<double>("reference", 0);
  rule.naive = in.template want<double>("naive", 0);
  rule.naive_from = in.template want<std::string>("naive_from", "");
  rule.question = in.template want<std::string>("question", "");
  rule.margin_exception = in.template want<std::string>("margin_exception", "");
  return rule;
}

}  // namespace workbook::base
