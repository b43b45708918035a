// A libcuda.so.1 for the test of ptx_on_gpu where there is no GPU: the functions that it takes from the
// driver, on the simulated device. With WORKBOOK_PRETEND=wrong the kernels do not run, so that every
// comparison has to fail; with =hang a launch never comes back.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>

#include "ptx/reader.h"
#include "sim/device.h"

using namespace workbook;

namespace {

constexpr int invalid_ptx = 218, launch_failed = 719, not_supported = 801;

struct State {
  sim::Limits limits;
  std::unique_ptr<sim::Device> device;
  sim::ModuleId module = 0;
  sim::FunctionId function = 0;
  bool failed = false;
};

State& state() {
  static State s;
  return s;
}

std::vector<std::byte> gathered(void** parameters) {
  const sim::FunctionFacts& facts = state().device->facts(state().function);
  std::vector<std::byte> block(facts.parameter_bytes);
  for (std::size_t k = 0; k < facts.parameters.size(); ++k)
    std::memcpy(block.data() + facts.parameters[k].offset, parameters[k], facts.parameters[k].size);
  return block;
}

int launch(const std::array<unsigned, 6>& shape, unsigned shared, std::span<const std::byte> block,
           bool cooperative) {
  State& s = state();
  const char* how = std::getenv("WORKBOOK_PRETEND");
  if (how != nullptr && std::string(how) == "hang") pause();
  if (how != nullptr) return 0;
  if (!s.device->unsupported(s.function).empty()) return not_supported;
  const sim::LaunchResult r = s.device->launch({.function = s.function,
                                                .grid = {shape[0], shape[1], shape[2]},
                                                .block = {shape[3], shape[4], shape[5]},
                                                .dynamic_shared_bytes = shared,
                                                .parameters = block,
                                                .cooperative = cooperative});
  std::fputs(r.output.c_str(), stdout);
  s.failed = s.failed || r.fault.has_value();  // it sticks
  return 0;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int cuInit(unsigned) {
  return 0;
}
int cuDriverGetVersion(int* v) {
  *v = 13000;
  return 0;
}
int cuDeviceGet(int* d, int) {
  *d = 0;
  return 0;
}
int cuDeviceGetName(char* name, int size, int) {
  std::snprintf(name, static_cast<std::size_t>(size), "no GPU: the simulated device under the driver's name");
  return 0;
}
int cuDevicePrimaryCtxRetain(void** c, int) {
  State& s = state();
  s.limits.memory_bytes = 1ull << 30;
  sim::Options options;
  options.host_threads = 1;
  s.device = std::make_unique<sim::Device>(s.limits, sim::Latencies{}, options);
  *c = &s;
  return 0;
}
int cuCtxSetCurrent(void*) {
  return 0;
}
int cuModuleLoadDataEx(void** module, const void* text, unsigned, int*, void** values) {
  try {
    state().module = state().device->load(ptx::read(static_cast<const char*>(text)));
  } catch (const std::exception& e) {
    std::snprintf(static_cast<char*>(values[0]), 4096, "%s", e.what());
    return invalid_ptx;
  }
  *module = &state();
  return 0;
}
int cuModuleUnload(void*) {
  state().device->unload(state().module);
  return 0;
}
int cuModuleGetFunction(void** function, void*, const char* name) {
  State& s = state();
  const auto found = s.device->find_function(s.module, name);
  if (!found) return 500;
  s.function = *found;
  *function = &s;
  return 0;
}
int cuFuncSetAttribute(void*, int, int) {
  return 0;
}
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  *address = state().device->memory().allocate(bytes, sim::AllocationKind::device, "b");
  return 0;
}
int cuMemFree_v2(std::uint64_t address) {
  state().device->memory().free(address);
  return 0;
}
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  state().device->memory().write(to, from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  state().device->memory().read(from, to, bytes);
  return 0;
}
int cuMemsetD8_v2(std::uint64_t to, unsigned char value, std::size_t bytes) {
  const std::string all(bytes, static_cast<char>(value));
  state().device->memory().write(to, all.data(), bytes);
  return 0;
}
int cuLaunchKernel(void*, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f,
                   unsigned shared, void*, void**, void** extra) {
  // As the runner writes it: a mark, the bytes, a mark, the address of their number.
  const auto* bytes = static_cast<const std::byte*>(extra[1]);
  return launch({a, b, c, d, e, f}, shared, {bytes, *static_cast<const std::size_t*>(extra[3])}, false);
}
int cuLaunchCooperativeKernel(void*, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f,
                              unsigned shared, void*, void** parameters) {
  return launch({a, b, c, d, e, f}, shared, gathered(parameters), true);
}
int cuCtxSynchronize() {
  return state().failed ? launch_failed : 0;
}
int cuGetErrorName(int error, const char** name) {
  *name = error == launch_failed   ? "CUDA_ERROR_LAUNCH_FAILED"
          : error == not_supported ? "CUDA_ERROR_NOT_SUPPORTED"
                                   : "CUDA_ERROR_INVALID_PTX";
  return 0;
}
}
#pragma GCC visibility pop
