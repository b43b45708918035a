// What stands between a stranger's program and the machine while a class is graded.
//
// Four kinds, the strongest that works here is taken, and every report says which:
//   bubblewrap  namespaces of its own (files, processes, network), only what a runner needs is seen,
//   read-only;
//               on top a filter for system calls, limits, and, when the grader is root, a user without rights
//   user        no namespaces: a user without rights, the filter, limits. Needs root. Compiles unconfined.
//   limits      the filter and the limits alone, with the grader's own rights
//   none        as a check of one's own work
// Whatever the kind, the judge with the expected values is another process, and results are written by the
// grader when the runner and all that it started are dead.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grader/check.h"

namespace workbook::classroom {

namespace fs = grader::fs;

enum class IsolationKind { bubblewrap, user, limits, none };
const char* name_of(IsolationKind kind);

struct IsolationWish {
  std::string kind = "auto";  // or a name above
  std::string device = "simulated";
  unsigned slots = 1;  // so many checks run at a time
  int hidden_sizes = 0;
  bool secret_seed = false;
  double run_seconds = 0;  // of one call of a driver; 0: the usual
};

// Prepared once for a grading, with a stage of its own in the temporary folder.
class Isolation {
 public:
  // Throws std::runtime_error when the wished kind does not work here; the text says why.
  Isolation(const grader::Workspace& space, const IsolationWish& wish);
  ~Isolation();

  IsolationKind kind() const { return kind_; }
  const std::string& why() const { return why_; }  // why it is not a stronger one; empty for the strongest
  bool filter() const { return !filter_.empty(); }

  // For the checks of that slot, one at a time.
  grader::Confinement confinement(unsigned slot) const;

 private:
  void settle(const std::string& wish);
  std::string trouble_with_bubblewrap() const;
  std::vector<std::string> common_arguments() const;
  std::vector<std::string> compiler_arguments() const;
  std::vector<std::string> runner_arguments(unsigned slot) const;
  void prepare_slot(unsigned slot) const;
  fs::path slot_folder(unsigned slot) const;
  long user_of(unsigned slot) const;

  const grader::Workspace& space_;
  IsolationWish wish_;
  std::unique_ptr<grader::TemporaryFolder> stage_;
  fs::path bwrap_, filter_;
  IsolationKind kind_ = IsolationKind::none;
  std::string why_;
};

}  // namespace workbook::classroom
