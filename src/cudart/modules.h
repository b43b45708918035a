// The program's device code: what nvcc's start-up code registers, loaded when it is first needed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/device.h"

namespace workbook::cudart {

struct ModuleEntry;

// A kernel as the program knows it: by the address of its host stub, or by a cudaKernel_t, which points here.
struct Kernel {
  ModuleEntry* module = nullptr;
  const void* host_function = nullptr;
  std::string name;                         // mangled
  std::optional<sim::FunctionId> function;  // once its module is loaded
  std::uint32_t max_dynamic_shared = 0;     // cudaFuncAttributeMaxDynamicSharedMemorySize; 0: the default
  bool launched = false;
};

struct DeviceVariable {
  ModuleEntry* module = nullptr;
  const void* host_variable = nullptr;
  std::string name;
  std::uint64_t size = 0;
  bool constant = false;
  bool managed = false;
};

struct ModuleEntry {
  const void* wrapper = nullptr;  // what was registered
  std::optional<sim::ModuleId> id;
  int load_error = 0;  // cudaError_t; 0 when not tried or good
  bool paid = false;   // the cost of its loading
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::vector<std::unique_ptr<DeviceVariable>> variables;
};

class Modules {
 public:
  static Modules& get();

  ModuleEntry* add(const void* wrapper);
  void remove(ModuleEntry* module);
  void add_kernel(ModuleEntry* module, const void* host_function, const char* name);
  void add_variable(ModuleEntry* module, const void* host_variable, const char* name, std::uint64_t size,
                    bool constant, bool managed);

  Kernel* find(const void* host_function_or_handle);
  DeviceVariable* find_variable(const void* host_variable);

  // Gives a cudaError_t. A failure is explained once on standard error and in the trace.
  int load(ModuleEntry& module);
  int load_all();  // CUDA_MODULE_LOADING=EAGER
  // Loads the kernel's module and finds the function; pays the time of a first launch when `launching`.
  int ready(Kernel& kernel, bool launching);
  // Address and size on the device; loads the module.
  int locate(DeviceVariable& variable, std::uint64_t& address, std::uint64_t& size);
  void forget_device();  // after a reset: everything is loaded anew

 private:
  int load_image(ModuleEntry& module);
  int fail(ModuleEntry& module, int error, const std::string& text);

  std::vector<std::unique_ptr<ModuleEntry>> modules_;
  std::unordered_map<const void*, Kernel*> kernels_;  // by host function and by handle
  std::unordered_map<const void*, DeviceVariable*> variables_;
  bool eager_ = false;
};

}  // namespace workbook::cudart
