// Makes sense of what nvcc, g++ and the linker print.
#pragma once

#include <string>
#include <vector>

#include "grader/files.h"
#include "trace/record.h"

namespace workbook::grader {

// The messages with the learner's files first, paths relative to `root`, and the noise left out: nvcc's count
// of errors, warnings where there are errors, the same message twice. `main_file` is the first of the
// learner's.
std::string tidy_compiler_output(const std::string& output, const std::vector<fs::path>& learner_files,
                                 const fs::path& root);

// The first error of a tidy text as a failure: code "compile.error", or what the linker missed in words.
// `host_only`: g++ compiled the file, without nvcc.
trace::Failure compile_failure(const std::string& tidy, bool linking, bool host_only = false);

}  // namespace workbook::grader
