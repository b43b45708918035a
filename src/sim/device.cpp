#include "sim/device.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "ptx/reader.h"
#include "sim/device_impl.h"

namespace workbook::sim {

const char* name_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::out_of_bounds:
      return "out_of_bounds";
    case FaultKind::use_after_free:
      return "use_after_free";
    case FaultKind::uninitialised_read:
      return "uninitialised_read";
    case FaultKind::misaligned:
      return "misaligned";
    case FaultKind::host_pointer:
      return "host_pointer";
    case FaultKind::write_to_constant:
      return "write_to_constant";
    case FaultKind::shared_out_of_bounds:
      return "shared_out_of_bounds";
    case FaultKind::local_out_of_bounds:
      return "local_out_of_bounds";
    case FaultKind::race_shared:
      return "race_shared";
    case FaultKind::race_global:
      return "race_global";
    case FaultKind::divergent_barrier:
      return "divergent_barrier";
    case FaultKind::absent_lanes:
      return "absent_lanes";
    case FaultKind::deadlock:
      return "deadlock";
    case FaultKind::endless_kernel:
      return "endless_kernel";
    case FaultKind::trap:
      return "trap";
    case FaultKind::assertion:
      return "assertion";
    case FaultKind::stack_overflow:
      return "stack_overflow";
    case FaultKind::illegal_instruction:
      return "illegal_instruction";
  }
  return "unknown";
}

Device::Impl::Impl(const Limits& l, const Latencies& t, const Options& o)
    : limits(l), latencies(t), options(o), memory(l.memory_bytes) {
  memory.impl().l2_sectors = l.l2_bytes / sector_bytes;
  races = std::make_unique<GlobalRaces>(memory.impl().base);
}

// Allocates the module's global and constant variables and fills them.
void Device::Impl::place_variables(LoadedModule& loaded) {
  const ptx::Module& m = *loaded.module;
  std::vector<std::uint64_t>& address = loaded.layout.variable_address;
  for (std::size_t i = 0; i < m.variables.size(); ++i) {
    const ptx::Variable& v = m.variables[i];
    if ((v.space != ptx::Space::global && v.space != ptx::Space::constant) || v.size == 0 || v.is_extern)
      continue;
    address[i] = memory.allocate(v.size, AllocationKind::module_, v.name);
    if (address[i] == 0) throw std::runtime_error("device memory is too small for the variable " + v.name);
  }
  for (std::size_t i = 0; i < m.variables.size(); ++i) {
    const ptx::Variable& v = m.variables[i];
    if (address[i] == 0 || v.space == ptx::Space::shared) continue;
    std::vector<std::uint8_t> bytes = v.init;
    bytes.resize(v.size, 0);
    for (const ptx::Relocation& r : v.relocations) {
      const std::uint64_t value =
          (r.is_function ? code_window + loaded.layout.first_function + r.index : address.at(r.index)) +
          static_cast<std::uint64_t>(r.offset);
      if (r.at + 8 <= bytes.size()) std::memcpy(bytes.data() + r.at, &value, 8);
    }
    memory.write(address[i], bytes.data(), bytes.size());
    if (v.space == ptx::Space::constant) memory.impl().table.at(address[i]).read_only = true;
  }
  ++memory.impl().version;
}

void Device::Impl::make_facts(const Code& code) {
  const ptx::Function& f = *code.function;
  FunctionFacts facts_of;
  facts_of.name = f.name;
  facts_of.display_name = code.display_name;
  facts_of.parameters = f.params;
  for (const ptx::Parameter& p : f.params)
    facts_of.parameter_bytes = std::max(facts_of.parameter_bytes, p.offset + p.size);
  facts_of.static_shared_bytes = code.static_shared;
  facts_of.local_bytes = code.frame_bytes;
  // PTX has a register per value; a compiler reuses them. A rough guess until a cubin tells.
  std::uint32_t words = 0;
  for (const ptx::Register& r : f.registers)
    words += r.type == ptx::Type::pred ? 0 : ptx::size_of(r.type) == 8 ? 2 : 1;
  facts_of.registers = std::clamp<std::uint32_t>(10 + words / 5 / 2 * 2, 16, 128);
  std::uint64_t bound = 1;
  const auto& given = f.max_threads[0] != 0 ? f.max_threads : f.required_threads;
  for (std::uint32_t d : given) bound *= std::max<std::uint32_t>(d, 1);
  facts_of.max_threads_per_block =
      given[0] != 0 ? static_cast<std::uint32_t>(std::min<std::uint64_t>(bound, limits.max_threads_per_block))
                    : limits.max_threads_per_block;
  facts.push_back(std::move(facts_of));
}

// The function's own reason, or that of a function it calls.
std::string Device::Impl::why_unsupported(FunctionId function) const {
  std::set<std::uint32_t> seen{function};
  std::vector<std::uint32_t> todo{function};
  while (!todo.empty()) {
    const std::uint32_t f = todo.back();
    todo.pop_back();
    const Code* code = codes.at(f).get();
    if (code == nullptr) return "the module of this function was unloaded";
    if (!code->unsupported.empty()) return code->unsupported;
    for (const std::uint32_t callee : code->callees)
      if (seen.insert(callee).second) todo.push_back(callee);
  }
  return {};
}

Device::Device(const Limits& limits, const Latencies& latencies, const Options& options)
    : impl_(std::make_unique<Impl>(limits, latencies, options)) {}
Device::~Device() = default;

Memory& Device::memory() {
  return impl_->memory;
}
const Limits& Device::limits() const {
  return impl_->limits;
}

ModuleId Device::load(ptx::Module module) {
  Impl& d = *impl_;
  d.modules.push_back({std::make_unique<ptx::Module>(std::move(module)), {}, true});
  LoadedModule& loaded = d.modules.back();
  ModuleLayout& layout = loaded.layout;
  layout.module = loaded.module.get();
  layout.variable_address.assign(loaded.module->variables.size(), 0);
  layout.first_function = static_cast<std::uint32_t>(d.codes.size());
  d.place_variables(loaded);
  lay_out_shared(layout);
  for (std::uint32_t f = 0; f < loaded.module->functions.size(); ++f) {
    d.codes.push_back(decode(layout, f, d.latencies, d.hits));
    d.hits += static_cast<std::uint32_t>(d.codes.back()->body.size());
    d.make_facts(*d.codes.back());
  }
  return static_cast<ModuleId>(d.modules.size() - 1);
}

void Device::unload(ModuleId module) {
  LoadedModule& loaded = impl_->modules.at(module);
  if (!loaded.live) return;
  loaded.live = false;
  for (std::size_t i = 0; i < loaded.layout.variable_address.size(); ++i)
    if (loaded.module->variables[i].space != ptx::Space::shared && loaded.layout.variable_address[i] != 0)
      impl_->memory.free(loaded.layout.variable_address[i]);
  for (std::size_t f = 0; f < loaded.module->functions.size(); ++f)
    impl_->codes[loaded.layout.first_function + f].reset();
}

std::optional<FunctionId> Device::find_function(ModuleId module, std::string_view name) const {
  const LoadedModule& loaded = impl_->modules.at(module);
  const auto it = loaded.module->function_index.find(std::string(name));
  if (!loaded.live || it == loaded.module->function_index.end()) return std::nullopt;
  return loaded.layout.first_function + it->second;
}

std::optional<Device::VariableFacts> Device::find_variable(ModuleId module, std::string_view name) const {
  const LoadedModule& loaded = impl_->modules.at(module);
  const auto it = loaded.module->variable_index.find(std::string(name));
  if (!loaded.live || it == loaded.module->variable_index.end()) return std::nullopt;
  const ptx::Variable& v = loaded.module->variables[it->second];
  if (v.space != ptx::Space::global && v.space != ptx::Space::constant) return std::nullopt;
  return VariableFacts{loaded.layout.variable_address[it->second], v.size, v.space == ptx::Space::constant};
}

const FunctionFacts& Device::facts(FunctionId function) const {
  return impl_->facts.at(function);
}

void Device::set_registers(FunctionId function, std::uint32_t registers) {
  impl_->facts.at(function).registers = registers;
  impl_->facts.at(function).registers_estimated = false;
}

std::string Device::unsupported(FunctionId function) const {
  return impl_->why_unsupported(function);
}

std::uint32_t Device::blocks_per_sm(FunctionId function, std::uint32_t threads,
                                    std::uint32_t dynamic_shared) const {
  return impl_->blocks_per_sm(function, threads, dynamic_shared);
}

std::uint32_t Device::Impl::blocks_per_sm(FunctionId function, std::uint32_t threads,
                                          std::uint32_t dynamic_shared) const {
  const Limits& l = limits;
  const FunctionFacts& f = facts.at(function);
  if (threads == 0) return 0;
  const std::uint32_t warps = (threads + lanes - 1) / lanes;
  // Registers are given to warps in units of 256, from the quarter of the multiprocessor that the warp lives
  // in; each block also takes 1 KiB of shared memory for the system.
  const std::uint32_t per_warp = (std::max(f.registers, 16u) * lanes + 255) / 256 * 256;
  const std::uint32_t shared = (f.static_shared_bytes + dynamic_shared + 127) / 128 * 128 + 1024;
  std::uint32_t blocks = std::min(l.max_blocks_per_sm, l.max_threads_per_sm / (warps * lanes));
  blocks = std::min(blocks, l.registers_per_sm / 4 / per_warp * 4 / warps);
  return std::min(blocks, l.shared_bytes_per_sm / shared);
}

LaunchResult Device::launch(const LaunchSpec& spec) {
  return run_launch(*impl_, spec);
}

}  // namespace workbook::sim
