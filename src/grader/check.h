// Checks one answer to one exercise: compiles it, links the runner, lets the judge judge, reads the record.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/manifest.h"
#include "grader/toolchain.h"
#include "grader/verdict.h"

namespace workbook::grader {

struct Workspace {
  fs::path root;   // the checkout
  fs::path build;  // where it is built
  Toolchain tools;
};

// The files that stand for the exercise's files, in the same order.
struct Answer {
  std::string name;  // for messages: "work/02_.../01_....cu"
  std::vector<fs::path> files;
  std::vector<fs::path>
      further;  // folders to look for headers of the exercise that the answer does not bring
};

// What the grading of a class adds to a check (src/classroom); empty for a check of one's own work.
struct Confinement {
  std::vector<std::string> compiler;  // a command in front of nvcc; it lacks the folders of source and object
  fs::path conditions;                // for the judge (src/harness/judge/conditions.h)
  fs::path stage;                     // the runner is copied there before it runs
  fs::path cudart_dir, nvtx_library, cupti_library;              // as the confined runner finds them
  std::vector<std::pair<std::string, std::string>> environment;  // of the judge, in addition
  double compile_seconds = 120;
  std::uint64_t compile_bytes = 0;  // memory of the compiler's processes, each; 0: any
};

struct CheckOptions {
  std::string device = "simulated";  // or "gpu"; "auto" is settled before (grader/machine.h)
  std::string profile = "h200@1";
  std::uint64_t seed = 1;
  std::function<bool()> cancelled;
  std::optional<Confinement> confined;
  std::vector<std::string> gpus;  // UUIDs, when they are known: one check at a time measures on each
  fs::path keep_trace;  // the judge leaves the trace of the run with most work there; empty: it does not
};

Answer starter_of(const Workspace&, const Exercise&);
Answer solution_of(const Workspace&, const Exercise&);
Answer work_of(const Workspace&, const Exercise&);

// True when every file of the answer has the starter's content.
bool is_untouched(const Workspace&, const Exercise&, const Answer&);

// Never throws for what is in the answer. `verdict.unchanged` is set, the kind is not turned into
// not_started: that is the caller's to say. Throws std::runtime_error for the machine's faults (a full disk).
Verdict check(const Workspace&, const Exercise&, const Answer&, const CheckOptions&);

}  // namespace workbook::grader
