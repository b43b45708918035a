// A small device and kernels written as PTX bodies.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "ptx/reader.h"
#include "sim/device.h"

namespace workbook::sim {

inline Limits small_limits() {
  Limits limits;
  limits.memory_bytes = 1ull << 30;
  return limits;
}

// Parameters p0, p1, ... are 64 bits each. %gid is the global thread number, %p0 ... hold the parameters'
// values.
inline std::string kernel_text(int parameters, const std::string& body, const std::string& before = {}) {
  std::string s = ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"kernel.cu\"\n" + before +
                  ".visible .entry kernel(";
  for (int i = 0; i < parameters; ++i)
    s += (i != 0 ? ", " : "") + std::string(".param .u64 p") + std::to_string(i);
  s += ") {\n.reg .pred %q<8>;\n.reg .b32 %r<32>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<32>;\n.reg .b32 "
       "%gid;\n.reg .b32 %tid;\n.reg .b64 %a<8>;\n";
  s += "mov.u32 %tid, %tid.x;\nmov.u32 %r30, %ctaid.x;\nmov.u32 %r31, %ntid.x;\nmad.lo.u32 %gid, %r30, %r31, "
       "%tid;\n";
  for (int i = 0; i < parameters; ++i)
    s += "ld.param.u64 %a" + std::to_string(i) + ", [p" + std::to_string(i) + "];\n";
  return s + body + "\nret;\n}\n";
}

class Kernel {
 public:
  explicit Kernel(const std::string& text, const Options& options = {}, const Limits& limits = small_limits(),
                  const Latencies& latencies = {})
      : device(limits, latencies, options),
        module(device.load(ptx::read(text))),
        function(device.find_function(module, "kernel").value()) {}

  std::uint64_t buffer(std::size_t count, bool filled = false, const std::string& name = {}) {
    const std::uint64_t at = device.memory().allocate(count * 4, AllocationKind::device, name);
    std::vector<std::uint32_t> zero(count);
    if (filled) device.memory().write(at, zero.data(), count * 4);
    return at;
  }
  LaunchResult launch(Dim3 grid, Dim3 block, std::vector<std::uint64_t> parameters, std::uint32_t shared = 0,
                      std::uint64_t start_ns = 0) {
    LaunchSpec spec;
    spec.function = function;
    spec.grid = grid;
    spec.block = block;
    spec.dynamic_shared_bytes = shared;
    spec.parameters = std::as_bytes(std::span(parameters));
    spec.start_ns = start_ns;
    return device.launch(spec);
  }
  std::vector<std::uint32_t> read(std::uint64_t at, std::size_t count) {
    std::vector<std::uint32_t> v(count);
    device.memory().read(at, v.data(), count * 4);
    return v;
  }

  Device device;
  ModuleId module;
  FunctionId function;
};

}  // namespace workbook::sim
