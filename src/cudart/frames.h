// Where in the program a call was made: a short call stack of addresses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace workbook::cudart {

// Finds the executable's and this library's place in memory, and loads what unwinding needs; once, at the
// start.
void prepare_frames();

// The caller's stack, innermost first, at most eight: addresses in the executable only, relative to its load
// base, inside the call instruction.
std::vector<std::uint64_t> capture_frames();

// The same for one code address (a fault's), or empty when it isn't in the executable.
std::vector<std::uint64_t> frames_at(std::uint64_t pc);

// "five_steps.cu:27 (run)" for the innermost frame with a line, by addr2line; empty when unknown.
std::string describe_place(const std::vector<std::uint64_t>& frames, const std::string& kernel = {});

}  // namespace workbook::cudart
