// Mistakes of the program, told: as `fault` events for the checks, and as a short report on standard error
// for a person who runs a program on the simulated device. WORKBOOK_QUIET silences the report, never the
// event.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cudart/runtime.h"
#include "sim/fault.h"
#include "trace/event.h"

namespace workbook::cudart {

// The error code that a kernel's fault leaves behind (cudaError_t).
int error_of(sim::FaultKind kind);

// A fault on the device. `launch` is the launch's event; `at` the virtual time at which the kernel stopped.
void report_kernel_fault(const sim::Fault& fault, const trace::Event& launch, std::int64_t at);
// A note in the trace: a shuffle that read from a lane which had ended. The judge says it when a result is
// wrong.
void remark_absent_source(const sim::Fault& what, const trace::Event& launch);

// A mistake in a call. `about` is an address whose allocation the report should show, or 0.
struct HostFault {
  std::string kind;  // "double_free", "bad_free", "bad_kind", "out_of_bounds", ...
  std::string text;  // one sentence
  std::uint64_t about = 0;
  std::uint64_t bytes = 0;              // asked for
  std::int64_t offset = 0;              // from the base of the allocation
  std::vector<std::string> evidence{};  // further sentences
  std::string note{};                   // what stands beside the line of the call
  Frames other_frames{};                // of another call that belongs to it
  std::string other_kernel{}, other_note{};
};
void report_host_fault(const HostFault& fault, const trace::Event& call);

// The host touched an address of device memory: the last words of the program, from its signal handler.
void report_host_dereference(std::uint64_t address, std::uint64_t pc);

// "device memory", "pageable host memory", ... and with a name "device memory d_x".
std::string describe(const PointerFacts& facts);
// Where host memory lies that the runtime doesn't know: "the stack", "the heap", "a variable of the program",
// or "no mapped memory".
std::string host_place(std::uint64_t address);

}  // namespace workbook::cudart
