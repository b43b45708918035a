#include "cudart/modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "cudart/api.h"
#include "cudart/runtime.h"
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

void Modules::read_settings() {
  const auto is = [](const char* name, const char* wanted) {
    const char* const value = std::getenv(name);
    return value != nullptr && std::string_view(value) == wanted;
  };
  settings_.eager = is("CUDA_MODULE_LOADING", "EAGER");
  settings_.force_jit = is("CUDA_FORCE_PTX_JIT", "1");
  settings_.no_jit = is("CUDA_DISABLE_PTX_JIT", "1");
  settings_.cache = JitCache::from_environment();
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
  if (const int error = pay_for_code(module, images, *image); error != cudaSuccess) return error;
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

int Modules::pay_for_code(ModuleEntry& module, const std::vector<ptx::Image>& images,
                          const ptx::Image& text) {
  Runtime& runtime = Runtime::get();
  const Settings& s = settings_;
  const std::uint64_t bytes = text.text().size();
  const bool machine_code =
      !s.force_jit && std::any_of(images.begin(), images.end(), [](const ptx::Image& image) {
        return image.kind == ptx::ImageKind::cubin && image.fits(device_arch);
      });
  if (!machine_code) {
    // The compiler may be forbidden; what it made before is still found.
    const bool kept = s.cache.holds(text.text());
    if (kept && !s.force_jit) {
      runtime.pay_once("jit", "compiled PTX comes from the cache",
                       model::jit_from_cache_ns(runtime.profile(), bytes));
    } else if (s.no_jit) {
      return fail(
          module, cudaErrorJitCompilationDisabled,
          "there is no machine code for this device, and CUDA_DISABLE_PTX_JIT=1 forbids compiling the PTX");
    } else {
      runtime.pay_once("jit", "PTX is compiled for this GPU", model::jit_ns(runtime.profile(), bytes));
      if (!kept && s.cache.keep(text.text()))
        runtime.pay_once("jit", "compiled PTX goes to the cache",
                         model::jit_to_cache_ns(runtime.profile(), bytes));
    }
  }
  runtime.pay_once("module_load", "device code is loaded",
                   first_module_paid_ ? runtime.costs().module_load : runtime.costs().first_module_load);
  first_module_paid_ = true;
  return cudaSuccess;
}

// Variables get their memory, and what stands in it at the start.
void Modules::pay_for_data(ModuleEntry& module) {
  std::uint64_t bytes = 0;
  for (const auto& variable : module.variables) bytes += variable->size;
  if (bytes == 0) return;
  Runtime& runtime = Runtime::get();
  runtime.pay_once("module_data", "the variables of a module get their memory",
                   model::module_data_ns(runtime.profile(), bytes));
}

int Modules::load(ModuleEntry& module) {
  if (module.id || module.load_error != 0) return module.load_error;
  if (const int error = load_image(module); error != cudaSuccess) return error;
  pay_for_data(module);
  return cudaSuccess;
}

// A module that can't be loaded says so when something of it is needed.
void Modules::load_early() {
  if (!settings_.eager) return;
  for (const auto& module : modules_) {
    if (load(*module) != cudaSuccess) continue;
    for (const auto& kernel : module->kernels) kernel->paid = true;
  }
}

int Modules::ready(Kernel& kernel, bool launching) {
  if (const int error = load(*kernel.module); error != cudaSuccess) return error;
  if (!kernel.function) return cudaErrorInvalidDeviceFunction;
  Runtime& runtime = Runtime::get();
  if (!kernel.paid) {
    kernel.paid = true;
    runtime.pay_once("function_load", "a kernel is loaded", runtime.costs().function_load);
  }
  if (launching && !first_launch_paid_) {
    first_launch_paid_ = true;
    runtime.pay_once("first_launch", "the first launch of all is prepared", runtime.costs().first_launch);
  }
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
    module->load_error = 0;
    for (const auto& kernel : module->kernels) {
      kernel->function.reset();
      kernel->paid = false;
      kernel->max_dynamic_shared = 0;
    }
  }
  first_module_paid_ = first_launch_paid_ = false;
}

}  // namespace workbook::cudart
