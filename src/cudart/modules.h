// The program's device code: what nvcc's start-up code registers, loaded when it is first needed.
//
// What a GPU's driver does once for a module and once for a kernel, this does and pays in modelled time: the
// module's code (machine code as it is; text through a compiler, or from the compiler's cache on the disk),
// the memory of its variables, and each of its kernels. When, the driver's variables say, as they are when
// the program first calls the library: CUDA_MODULE_LOADING (LAZY or EAGER), CUDA_FORCE_PTX_JIT,
// CUDA_DISABLE_PTX_JIT, CUDA_CACHE_PATH and its kind (jit_cache.h). CUDA_MODULE_DATA_LOADING changes nothing
// here, and changed nothing on an H200: variables come with the code. What the device executes is always the
// PTX.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cudart/jit_cache.h"
#include "ptx/fatbin.h"
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
  bool paid = false;                        // the cost of its loading
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
  // With the context: all of the code, under CUDA_MODULE_LOADING=EAGER.
  void load_early();
  // Loads the kernel and its module and finds the function; pays the time of a first launch too when
  // `launching`.
  int ready(Kernel& kernel, bool launching);
  // Address and size on the device; loads the module.
  int locate(DeviceVariable& variable, std::uint64_t& address, std::uint64_t& size);
  void forget_device();  // after a reset: everything is loaded anew
  void read_settings();  // once, when the Runtime is made: at the program's first call

 private:
  int load_image(ModuleEntry& module);
  // Pays the time of the code's way to the device: loaded as it is, compiled, or found compiled.
  int pay_for_code(ModuleEntry& module, const std::vector<ptx::Image>& images, const ptx::Image& text);
  void pay_for_data(ModuleEntry& module);
  int fail(ModuleEntry& module, int error, const std::string& text);

  std::vector<std::unique_ptr<ModuleEntry>> modules_;
  std::unordered_map<const void*, Kernel*> kernels_;  // by host function and by handle
  std::unordered_map<const void*, DeviceVariable*> variables_;
  // The driver's variables.
  struct Settings {
    bool eager = false, force_jit = false, no_jit = false;
    JitCache cache;
  };
  Settings settings_;
  bool first_module_paid_ = false, first_launch_paid_ = false;
};

}  // namespace workbook::cudart
