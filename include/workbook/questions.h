// Questions a check may ask about what the learner's code did on the device.
//
// All answers concern the learner regions of one run (Call::learner). They come from the trace: on the
// simulated device from the simulated runtime, on a GPU from the interposer in the runner. What only the
// simulated device knows (counters, memory kinds of a fault) says so; ask `counters_known()` first.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workbook {

// One thing the program asked for, in the order of the calls.
struct Step {
  enum class Kind { allocate, release, copy, set, kernel, synchronise, other } kind{};
  std::string api;        // "cudaMalloc"
  std::string name;       // kernel name
  int result = 0;         // cudaError_t
  std::string direction;  // copies, by what the memory is, not by what was claimed: "host to device",
                          // "device to host", "device to device", "host to host"
  std::string claimed;    // the kind that was passed: "HostToDevice", "Default", ...
  bool pinned = false;    // copies: the host side is page-locked
  bool asynchronous = false;
  bool managed = false;  // allocations: cudaMallocManaged
  std::uint64_t bytes = 0;
  std::uint64_t address = 0;  // allocate, release: the block; copy: destination
  std::uint64_t source = 0;
  std::array<std::uint32_t, 3> grid{}, block{};
  int stream = 0;
  double host_begin_us = 0, host_end_us = 0;
  double device_begin_us = -1, device_end_us = -1;  // -1: unknown (copies and kernels on a GPU)
  std::string file;  // where the learner's code made the call; empty when unknown
  std::uint32_t line = 0;
  std::string label;  // of the learner region
};

class Trace {
 public:
  const std::vector<Step>& steps() const;
  std::vector<Step> of(Step::Kind kind) const;
  std::vector<Step> copies(std::string_view direction) const;  // "host to device"
  std::vector<Step> kernels() const;
  std::uint64_t bytes_copied(std::string_view direction) const;

  // Allocations made in the regions and not released in them.
  std::vector<Step> leaks() const;
  // The steps as letters, for messages and order checks: A allocate, > copy in, K kernel, < copy out, F free,
  // S synchronise, = device-to-device, M memset.
  std::string letters() const;

  // Counters of the n-th kernel, by Nsight Compute's name; nullopt on a GPU or for a name that is not
  // counted.
  bool counters_known() const;
  std::optional<std::uint64_t> counter(std::size_t kernel, std::string_view name) const;

  struct State;
  explicit Trace(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace workbook
