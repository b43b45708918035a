#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/block.h"
#include "sim/decode.h"
#include "sim/device.h"

namespace workbook::sim {

struct LoadedModule {
  std::unique_ptr<ptx::Module> module;
  ModuleLayout layout;
  bool live = true;
};

struct Device::Impl {
  Impl(const Limits& l, const Latencies& t, const Options& o);

  Limits limits;
  Latencies latencies;
  Options options;
  Memory memory;
  std::vector<LoadedModule> modules;
  std::vector<std::unique_ptr<Code>> codes;  // by FunctionId; null when unloaded
  std::vector<FunctionFacts> facts;
  std::uint32_t hits = 0;  // instructions decoded so far
  std::unique_ptr<GlobalRaces> races;
  std::uint64_t grids = 0;

  void place_variables(LoadedModule& loaded);
  void make_facts(const Code& code);
  std::string why_unsupported(FunctionId function) const;
  std::uint32_t blocks_per_sm(FunctionId function, std::uint32_t threads, std::uint32_t dynamic_shared) const;
};

// launch.cpp
LaunchResult run_launch(Device::Impl& device, const LaunchSpec& spec);
// faults.cpp
Fault explain(const Device::Impl& device, const LaunchState& launch, const Block& block, const RawFault& raw);
SourceLine source_line(const Code& code, std::uint32_t pc);

}  // namespace workbook::sim
