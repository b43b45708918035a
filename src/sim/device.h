// The simulated device: loads modules, runs kernels, says what happened.
//
//   Device device(limits);
//   ModuleId module = device.load(ptx::read(text));       // throws ptx::Error for what it cannot read
//   FunctionId f = *device.find_function(module, "_Z5saxpyifPKfPf");
//   LaunchResult r = device.launch({.function = f, .grid = {4}, .block = {256}, .parameters = bytes});
//
// A launch runs to its end (or to its first fault) before `launch` returns; when it happens in virtual time
// is the business of the runtime above (src/cudart). Results, counters and faults are the same whatever the
// number of host cores.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/ir.h"
#include "sim/counters.h"
#include "sim/fault.h"
#include "sim/memory.h"

namespace workbook::sim {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

// What the hardware allows; filled from a device profile (src/model). Defaults: H200, compute capability 9.0.
struct Limits {
  std::uint64_t memory_bytes = 150'109'880'320;  // totalGlobalMem, and the total of cudaMemGetInfo
  std::uint32_t sm_count = 132;
  std::uint32_t max_threads_per_block = 1024;
  std::array<std::uint32_t, 3> max_block{1024, 1024, 64};
  std::array<std::uint32_t, 3> max_grid{2147483647u, 65535u, 65535u};
  std::uint32_t max_threads_per_sm = 2048;
  std::uint32_t max_blocks_per_sm = 32;
  std::uint32_t registers_per_sm = 65536;
  std::uint32_t shared_bytes_per_sm = 233472;
  std::uint32_t shared_bytes_per_block = 49152;
  std::uint32_t shared_bytes_per_block_optin = 232448;
  std::uint64_t l2_bytes = 62'914'560;
  std::uint32_t l1_bytes_per_sm = 262144;  // shared memory is carved from it
  std::uint32_t clock_khz = 1'980'000;     // SM clock, for %clock64 and %globaltimer
};

// Latencies in SM cycles for the scoreboard (from the profile; see src/model/profile.h for their sources).
struct Latencies {
  std::uint32_t alu = 4, integer_mul = 4, fp64 = 8, special = 18, conversion = 8;
  std::uint32_t shared = 29, l1_hit = 33, l2_hit = 250, atomic = 300, shuffle = 23, barrier = 20;
  std::uint32_t clock_read = 20;
};

using ModuleId = std::uint32_t;
using FunctionId = std::uint32_t;

struct FunctionFacts {
  std::string name;          // mangled, as in the PTX
  std::string display_name;  // demangled, without parameters
  std::vector<ptx::Parameter> parameters;
  std::uint64_t parameter_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;  // per thread
  std::uint32_t registers = 0;    // estimated, or set by `set_registers` from a cubin
  bool registers_estimated = true;
  std::uint32_t max_threads_per_block = 1024;  // .maxntid, registers
};

struct LaunchSpec {
  FunctionId function = 0;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::span<const std::byte> parameters;  // laid out as the PTX parameters: FunctionFacts::parameters
  bool cooperative = false;
  bool in_order = false;       // blocks start in the order of their numbers, not shuffled
  std::uint64_t start_ns = 0;  // virtual time at which the kernel starts, for %globaltimer
};

// Bytes [begin, end) of global memory that a launch used: see sim/touched.h.
struct Touched {
  std::uint64_t begin = 0, end = 0;
  bool written = false;
};

struct LaunchResult {
  std::optional<Fault> fault;  // the first one, in the fixed order of blocks and warps
  Counters counters;
  // A shuffle that read from a lane which its mask names and which had ended: allowed, and what it gives is
  // left open. No fault by itself, and the cause of one when the value is used. The first, in the fixed
  // order.
  std::optional<Fault> absent_source;
  std::string output;             // device printf, in the fixed order
  bool output_truncated = false;  // more than the printf buffer holds (1 MiB default)
  std::vector<Touched> touched;   // when it was asked for (Memory::note_touched); reads first
};

struct Options {
  std::uint64_t seed = 0;  // permutes the order of blocks and warps, and SM placement; 0: fixed ones
  std::uint64_t instruction_budget = 4'000'000'000;  // warp instructions per launch, then endless_kernel
  std::uint32_t host_threads = 0;                    // 0: all cores
  bool check_uninitialised = true;
  bool check_races = true;
};

class Device {
 public:
  explicit Device(const Limits& limits = {}, const Latencies& latencies = {}, const Options& options = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  Memory& memory();
  const Limits& limits() const;

  // Decodes every function; allocates module variables. Throws ptx::Error naming the first instruction that
  // is not supported, its PTX line and its source line: but only when a kernel that needs it is launched or
  // asked for, so that one exotic kernel does not stop the others (the error is kept per function).
  ModuleId load(ptx::Module module);
  void unload(ModuleId module);
  std::optional<FunctionId> find_function(ModuleId module, std::string_view name) const;
  // Address and size of a __device__ or __constant__ variable.
  struct VariableFacts {
    std::uint64_t address = 0, size = 0;
    bool constant = false;
  };
  std::optional<VariableFacts> find_variable(ModuleId module, std::string_view name) const;

  const FunctionFacts& facts(FunctionId function) const;
  void set_registers(FunctionId function, std::uint32_t registers);
  // Why the function cannot run on the simulated device; empty when it can.
  std::string unsupported(FunctionId function) const;

  // Blocks of this shape that fit on one SM at a time: threads, registers, shared memory, block limit.
  std::uint32_t blocks_per_sm(FunctionId function, std::uint32_t threads, std::uint32_t dynamic_shared) const;

  // The caller has checked the launch against the limits (the runtime turns those into error codes).
  LaunchResult launch(const LaunchSpec& spec);

  struct Impl;  // see sim/device_impl.h

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace workbook::sim
