#include "cudart/modules.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "cudart/api.h"
#include "cudart/runtime.h"
#include "ptx/fatbin.h"
#include "ptx/reader.h"

namespace workbook::cudart {

namespace {

constexpr std::uint32_t device_arch = 90;  // every profile so far is of compute capability 9.0

void take_registers(sim::Device& device, sim::ModuleId id, const std::vector<ptx::Image>& images) {
  for (const ptx::Image& image : images) {
    if (image.kind != ptx::ImageKind::cubin || image.arch != device_arch) continue;
    try {
      for (const ptx::KernelResources& kernel : ptx::read_cubin(image.bytes)) {
        if (const auto function = device.find_function(id, kernel.name)) {
          device.set_registers(*function, kernel.registers);
        }
      }
    } catch (const ptx::FatbinError&) {
      // The estimate stays; the kernel runs all the same.
    }
  }
}

}  // namespace

Modules& Modules::get() {
  static Modules* const modules = new Modules;
  return *modules;
}

ModuleEntry* Modules::add(const void* wrapper) {
  modules_.push_back(std::make_unique<ModuleEntry>());
  modules_.back()->wrapper = wrapper;
  return modules_.back().get();
}

void Modules::remove(ModuleEntry* module) {
  // At the end of the program; the device may still be asked about its kernels, so only the names go.
  for (const auto& kernel : module->kernels) kernels_.erase(kernel->host_function);
  for (const auto& variable : module->variables) variables_.erase(variable->host_variable);
}

void Modules::add_kernel(ModuleEntry* module, const void* host_function, const char* name) {
  auto kernel = std::make_unique<Kernel>();
  kernel->module = module;
  kernel->host_function = host_function;
  kernel->name = name;
  kernels_[host_function] = kernel.get();
  kernels_[kernel.get()] = kernel.get();
  module->kernels.push_back(std::move(kernel));
}

void Modules::add_variable(ModuleEntry* module, const void* host_variable, const char* name,
                           std::uint64_t size, bool constant, bool managed) {
  auto variable = std::make_unique<DeviceVariable>();
  *variable = {module, host_variable, name, size, constant, managed};
  variables_[host_variable] = variable.get();
  module->variables.push_back(std::move(variable));
}

Kernel* Modules::find(const void* key) {
  const auto found = kernels_.find(key);
  return found == kernels_.end() ? nullptr : found->second;
}

DeviceVariable* Modules::find_variable(const void* host_variable) {
  const auto found = variables_.find(host_variable);
  return found == variables_.end() ? nullptr : found->second;
}

int Modules::fail(ModuleEntry& module, int error, const std::string& text) {
  module.load_error = error;
  std::fputs(fmt::format("workbook: {}\n", text).c_str(), stderr);
  Runtime::get().note("module", text);
  return error;
}

int Modules::load_image(ModuleEntry& module) {
  sim::Device& device = Runtime::get().device();
  std::vector<ptx::Image> images;
  const ptx::Image* image = nullptr;
  try {
    images = ptx::read_fatbin_wrapper(module.wrapper);
    image = &ptx::choose_ptx(images, device_arch);
  } catch (const ptx::FatbinError& error) {
    return fail(module, cudaErrorNoKernelImageForDevice, error.what());
  }
  try {
    module.id = device.load(ptx::read(image->text()));
  } catch (const ptx::Error& error) {
    return fail(module, cudaErrorInvalidPtx,
                fmt::format("the PTX of {} can't be read, line {}: {}\n  {}",
                            image->source_name.empty() ? "this program" : image->source_name, error.line(),
                            error.message(), error.source_line()));
  }
  take_registers(device, *module.id, images);
  for (const auto& kernel : module.kernels) kernel->function = device.find_function(*module.id, kernel->name);
  return cudaSuccess;
}

int Modules::load(ModuleEntry& module) {
  if (module.id || module.load_error != 0) return module.load_error;
  return load_image(module);
}

int Modules::load_all() {
  eager_ = true;
  Runtime& runtime = Runtime::get();
  int first = cudaSuccess;
  for (const auto& module : modules_) {
    if (module->id) continue;
    const int error = load(*module);
    if (first == cudaSuccess) first = error;
    if (error != cudaSuccess) continue;
    runtime.spend(runtime.costs().module_load_eager);
    module->paid = true;
  }
  return first;
}

int Modules::ready(Kernel& kernel, bool launching) {
  if (const int error = load(*kernel.module); error != cudaSuccess) return error;
  if (!kernel.function) return cudaErrorInvalidDeviceFunction;
  if (!launching || kernel.launched) return cudaSuccess;
  Runtime& runtime = Runtime::get();
  kernel.launched = true;
  const bool function_only = eager_ || kernel.module->paid;
  const std::int64_t begin = runtime.now();
  if (eager_) {
    runtime.spend(runtime.costs().first_launch_eager);
  } else {
    runtime.spend(kernel.module->paid ? runtime.costs().function_load_lazy
                                      : runtime.costs().module_load_lazy);
  }
  kernel.module->paid = true;
  runtime.overhead(function_only ? "function_load" : "module_load",
                   function_only ? "a kernel is loaded for its first launch" : "device code is loaded",
                   begin);
  return cudaSuccess;
}

int Modules::locate(DeviceVariable& variable, std::uint64_t& address, std::uint64_t& size) {
  if (const int error = load(*variable.module); error != cudaSuccess) return error;
  const auto facts = Runtime::get().device().find_variable(*variable.module->id, variable.name);
  if (!facts) return cudaErrorInvalidSymbol;
  address = facts->address;
  size = facts->size;
  return cudaSuccess;
}

void Modules::forget_device() {
  for (const auto& module : modules_) {
    module->id.reset();
    module->paid = false;
    module->load_error = 0;
    for (const auto& kernel : module->kernels) {
      kernel->function.reset();
      kernel->launched = false;
      kernel->max_dynamic_shared = 0;
    }
  }
}

}  // namespace workbook::cudart
