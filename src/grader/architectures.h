// The learner's file of options that say which architectures nvcc builds for (`architectures_from` in
// chapter.toml): read, and given to nvcc as it stands.
//
//   # what follows a hash is a remark
//   -gencode arch=compute_90,code=[compute_90,sm_90]
//
// Only options about architectures are let through: other options could start programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace workbook::grader {

struct Architectures {
  std::vector<std::string> options;  // as nvcc's command line wants them
  std::string problem;               // one sentence about the first word that is refused; empty: none
  std::uint32_t line = 0;            // where it stands
};

Architectures read_architectures(const std::string& text);

// The options without the pairs "-gencode X", "-arch X" and "-code X": room for the learner's own.
std::vector<std::string> without_architectures(const std::vector<std::string>& options);

}  // namespace workbook::grader
