// How an exercise is compiled and linked on this machine, as CMake found it:
// ${build}/workbook_toolchain.json, written by cmake/WorkbookCuda.cmake. A runner is
//
//   nvcc -c FILE.cu -o OBJECT nvcc_flags -Iinclude_dirs
//   cxx -c FILE.cpp -o OBJECT cxx_flags -Iinclude_dirs -isystem cuda_include
//   cxx -o RUNNER OBJECT DRIVER link_options link_libraries extra_libraries cudart_to_link system_libraries
//
// Absolute paths below the source and build folders of the time are moved to where the two are now: a build
// carried to another machine still works.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/files.h"

namespace workbook::grader {

struct ExerciseTools {
  fs::path judge;
  std::vector<std::string> drivers;  // object files
  std::vector<std::string> link;     // further link arguments
};

struct Toolchain {
  std::string nvcc, nvcc_version, cxx;
  fs::path real_cudart_dir;       // holds NVIDIA's libcudart.so.13
  fs::path simulated_cudart_dir;  // holds ours
  fs::path nvtx_library;          // what NVTX loads so that ranges are recorded; empty: not built
  fs::path cupti_library;         // what the driver loads so that a GPU's work is recorded; empty: not built
  fs::path cuda_include;
  std::string cudart_to_link;
  std::vector<std::string> flags, cxx_flags, include_dirs;
  std::vector<std::string> link_options, link_libraries, system_libraries;
  std::map<std::string, ExerciseTools> exercises;  // by chapter folder and stem
};

// The machine's or our fault: exit code 3.
class SetupError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws SetupError, which says what to do.
Toolchain load_toolchain(const fs::path& build, const fs::path& root);

}  // namespace workbook::grader
