// A mistake of the program under test that the simulated device saw, as data. Never an exception: a fault is
// a result. `text` is one sentence for a learner; everything else is evidence that other layers may lay out.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace workbook::sim {

enum class FaultKind : std::uint8_t {
  out_of_bounds,  // no allocation holds the address, or the access leaves it
  use_after_free,
  uninitialised_read,
  misaligned,
  host_pointer,  // a kernel was given an address of host memory that the device cannot reach
  write_to_constant,
  shared_out_of_bounds,
  local_out_of_bounds,
  race_shared,  // two threads of a block, no barrier between
  race_global,  // two threads, no order between
  divergent_barrier,
  absent_lanes,  // a warp's shuffle, vote or match: the mask names lanes that do not come, or leaves out who
                 // comes
  deadlock,      // every warp waits
  endless_kernel,       // the instruction budget is used up
  trap,                 // trap, brkpt
  assertion,            // device assert
  stack_overflow,       // call depth
  illegal_instruction,  // something the simulated device does not support met at run time
};
const char* name_of(FaultKind kind);  // "out_of_bounds", as it stands in traces and records

struct SourceLine {
  std::string file;  // as nvcc recorded it; empty without -lineinfo
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// The allocation a fault is about: the one that was overrun, freed, or never written.
struct AllocationFacts {
  bool known = false;
  std::uint64_t id = 0;  // Memory's allocation number; cudart maps it to a call site
  std::string name;      // given by the harness ("y"), else empty
  std::uint64_t base = 0;
  std::uint64_t size = 0;   // bytes
  std::int64_t offset = 0;  // first byte of the access, relative to base; may lie outside [0, size)
};

struct Fault {
  FaultKind kind{};
  std::string kernel;                     // demangled, without parameters: "saxpy"
  std::array<std::uint32_t, 3> block{};   // blockIdx
  std::array<std::uint32_t, 3> thread{};  // threadIdx
  SourceLine at;
  std::vector<SourceLine> called_from;  // device call stack, innermost first
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;  // size of the access of one thread
  bool is_write = false;
  std::uint32_t threads_at_fault = 1;  // lanes of the same warp instruction with the same fault
  AllocationFacts allocation;
  // the other party of a race, or the group that did not come to a barrier
  bool has_other = false;
  std::array<std::uint32_t, 3> other_block{};
  std::array<std::uint32_t, 3> other_thread{};
  SourceLine other_at;
  std::string text;
};

}  // namespace workbook::sim
