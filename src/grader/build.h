// From an answer's files to a runner, through a cache keyed by content, so that nothing is built twice.
#pragma once

#include "grader/check.h"

namespace workbook::grader {

struct Built {
  bool ok = false;
  bool machines_fault = false;  // nvcc could not be run at all, or was cancelled
  bool linking = false;         // it failed in the link, not in nvcc
  bool cached = false;          // nothing had to be compiled
  std::string text;             // what compiler or linker said
  fs::path runner;
  double compile_seconds = 0, link_seconds = 0;
};

Built build_runner(const Workspace&, const Exercise&, const Answer&, const CheckOptions&);

}  // namespace workbook::grader
