// Where in its own program the calling thread is: what every producer of a trace writes as Event::frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace workbook::trace {

// The program's executable in memory: the first object that the loader names.
struct Executable {
  std::uint64_t base = 0, begin = UINT64_MAX, end = 0;
  bool holds(std::uint64_t address) const { return address >= begin && address < end; }
};
// Looked up once. Call it once before a signal handler needs it.
const Executable& executable();

// Its file; empty when the system does not tell.
const std::string& executable_path();

// The callers that lie in the executable, innermost first, at most `most`: relative to its base, and inside
// the call instruction (a return address minus one).
std::vector<std::uint64_t> call_stack(std::size_t most);

}  // namespace workbook::trace
