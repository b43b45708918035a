// PTX functions to Code.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/code.h"
#include "sim/device.h"

namespace workbook::sim {

// What decoding a module's functions needs to know of the module as it is loaded.
struct ModuleLayout {
  const ptx::Module* module = nullptr;
  std::vector<std::uint64_t> variable_address;  // of Module::variables: device address, or offset for shared
  std::uint32_t first_function = 0;             // FunctionId of functions[0]
  std::uint32_t common_shared = 0;              // bytes of shared variables that belong to no single kernel
  std::vector<std::vector<std::uint32_t>> function_shared;  // by function, by Function::variables: offset
};

// Places the shared variables: those of the module and of device functions first, for all kernels alike.
void lay_out_shared(ModuleLayout& layout);
// Never throws: what can't be decoded is named in Code::unsupported.
std::unique_ptr<Code> decode(const ModuleLayout& layout, std::uint32_t function, const Latencies& latencies,
                             std::uint32_t first_hit);

std::string demangle(const std::string& name);  // without parameters and return type

}  // namespace workbook::sim
