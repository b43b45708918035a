// From an answer's files to a runner, through a cache keyed by content, so that nothing is built twice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grader/check.h"
#include "trace/record.h"

namespace workbook::grader {

struct Built {
  bool ok = false;
  bool machines_fault = false;            // nvcc could not be run at all, or was cancelled
  bool host_only = false;                 // it failed in g++, which read it without nvcc
  bool endless = false;                   // nvcc was ended after its time
  bool linking = false;                   // it failed in the link, not in nvcc
  bool cached = false;                    // nothing had to be compiled
  std::string text;                       // what compiler or linker said
  std::optional<trace::Failure> refused;  // a name that an answer may not have (grader/audit.h)
  fs::path runner;
  std::vector<fs::path> objects;  // of the learner's files, in their order
  std::vector<fs::path> reports;  // what ptxas said of each, where the exercise asks for it
  double compile_seconds = 0, link_seconds = 0;
};

Built build_runner(const Workspace&, const Exercise&, const Answer&, const CheckOptions&);

// Keeps the cache below `most_bytes`: once a day the oldest entries go, none that is younger than an hour.
void prune_cache(const fs::path& build, std::uintmax_t most_bytes = std::uintmax_t{768} << 20);

}  // namespace workbook::grader
