// What a program's file says about its CUDA runtime: enough to tell, before it runs, whether it can be
// redirected to the simulated device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/files.h"

namespace workbook::grader {

struct ProgramFacts {
  std::vector<std::string> needed;  // DT_NEEDED
  bool has_device_code = false;     // a section .nv_fatbin or .nvFatBinSegment
  bool has_rpath = false;           // DT_RPATH without DT_RUNPATH: goes before LD_LIBRARY_PATH
};

// nullopt when it is no 64-bit ELF program.
std::optional<ProgramFacts> program_facts(const fs::path& path);

// A name that an object shares with others.
struct ElfSymbol {
  std::string name;
  bool defined = false;
  bool weak = false;  // weak, or one of many equal ones
  bool is_function = false;
  bool is_chosen_at_start = false;  // an indirect function: code picks it before any constructor runs
};

// Empty when it is no 64-bit ELF file.
std::vector<ElfSymbol> global_symbols(const fs::path& object);

// A section that is loaded, or that speaks of the stack.
struct ElfSection {
  std::string name;
  bool executable = false, writable = false;
  std::string bytes;  // of executable ones
};
std::vector<ElfSection> sections_of(const fs::path& object);

// Why the program can't run on the simulated device, with what to do; empty when it can.
std::string redirect_problem(const fs::path& path);

}  // namespace workbook::grader
