// The judge's command line, and what all its parts know about this run.
//
//   check_NN_MM --runner PATH --device simulated|gpu --record FILE --chapter chapters/NN_topic/chapter.toml
//               [--profile h200@1] [--seed N] [--learner-file FILE]... [--cudart-dir DIR] [--nvtx-library
//               FILE] [--cupti-library FILE] [--keep-trace FILE] [--learner-object FILE]...
//               [--compiler-report FILE]...
//               [--conditions FILE] [GoogleTest's flags]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace workbook::judge {

struct Options {
  std::string runner;  // the program with the learner's code
  bool simulated = true;
  std::string profile = "h200@1";  // simulated device only
  std::string record;              // empty: no record is written
  std::string chapter;             // chapter.toml, for the time bounds
  std::uint64_t seed = 1;
  std::vector<std::string> learner_files;     // as they were compiled
  std::vector<std::string> learner_objects;   // what they were compiled to
  std::vector<std::string> compiler_reports;  // what nvcc -Xptxas -v printed meanwhile; empty: not asked for
  std::string cudart_dir;                     // the folder with the libcudart.so.13 to load
  std::string keep_trace;                     // file for the trace of the run with most work; empty: none
  std::string nvtx_library;                   // what NVTX loads in the runner; empty: ranges are not seen
  std::string cupti_library;                  // what tells device times on a GPU; empty: not built
};

Options& options();  // of this process

// Takes our flags out of argv and leaves GoogleTest's. Throws std::invalid_argument with a sentence.
void parse_options(int& argc, char** argv);

std::string base_name(const std::string& path);

}  // namespace workbook::judge
