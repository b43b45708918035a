// What the compilers made of the learner's files: the images in the executable, and what ptxas said of each
// kernel. The same on every machine, with or without a GPU.
//
//   const Compiled& made = compiled();
//   made.on(90).how == HowItRuns::machine_code                  // an H200 needs no JIT
//   for (const CompiledKernel& k : made.kernels()) k.stack == 0 // needs `ptxas_report` in chapter.toml
//
// [exercise.build] in chapter.toml says how an exercise is compiled beyond the usual; see CONTRIBUTING.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace workbook {

// One piece of device code in the executable.
struct DeviceImage {
  bool ptx = false;   // text that the driver compiles when the program starts; else machine code
  unsigned arch = 0;  // 90
  char variant = 0;   // 'a': this architecture alone; 'f': its family; 0: none
  std::string name;   // "compute_90", "sm_90a"
};

// What becomes of a program on a device.
enum class HowItRuns { machine_code, compiled_at_start, not_at_all };
// What a device does with a program.
struct ForDevice {
  HowItRuns how = HowItRuns::not_at_all;  // at once, after compiling its text, or not
  std::string image;                      // the image that the driver takes; empty: none
};

// What ptxas said of one kernel for one architecture, in bytes for each thread.
struct CompiledKernel {
  std::string name;         // without template arguments and parameters
  std::string arch;         // "sm_90"
  unsigned registers = 0;   // of 32 bits, for each thread
  std::uint64_t stack = 0;  // local memory: arrays that are indexed at run time, spilled registers, calls
  std::uint64_t spill_stores = 0, spill_loads = 0;  // bytes that found no register
};

// What the compilers made of an answer.
class Compiled {
 public:
  // Of all the learner's files, each image once, by architecture.
  const std::vector<DeviceImage>& images() const;
  // What a device of this compute capability (75, 90, ...) does with the program. Of several files, the one
  // that fares worst.
  ForDevice on(unsigned compute_capability) const;
  // Empty when the exercise doesn't ask for a report.
  const std::vector<CompiledKernel>& kernels() const;
  // How many PTX instructions have this type among their modifiers: "f64" finds fma.rn.f64 and cvt.f64.f32.
  std::size_t instructions_of_type(std::string_view type) const;

  struct State;
  // Used by the library.
  explicit Compiled(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

// Of the answer that is being judged.
const Compiled& compiled();

}  // namespace workbook
