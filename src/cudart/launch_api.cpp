// The ways to launch a kernel, and what can be asked of and set for one.
#include <algorithm>
#include <cstring>

#include "cudart/call.h"
#include "cudart/launch.h"

namespace workbook::cudart {

namespace {

// NVIDIA's library gives another error for a null function than for an address that is no kernel.
cudaError_t unknown_kernel(const void* function) {
  return function == nullptr ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidResourceHandle;
}

cudaError_t launch_by_address(const char* api, const void* function, Launch l) {
  l.api = api;
  return launch(Modules::get().find(function), l, unknown_kernel(function));
}

// Finds the kernel of a query, loaded; gives the error otherwise.
cudaError_t find_loaded(const void* function, Kernel*& kernel) {
  kernel = Modules::get().find(function);
  if (kernel == nullptr) return unknown_kernel(function);
  return static_cast<cudaError_t>(Modules::get().ready(*kernel, /*launching=*/false));
}

cudaError_t occupancy(const char* api, int* blocks, const void* function, int block_size,
                      std::size_t shared) {
  Call call(api);
  if (call.refused()) return call.refusal();
  if (blocks == nullptr || block_size <= 0) return call.end(cudaErrorInvalidValue);
  Kernel* kernel = nullptr;
  if (const cudaError_t error = find_loaded(function, kernel); error != cudaSuccess) return call.end(error);
  sim::Device& device = call.runtime.device();
  const sim::FunctionFacts& facts = device.facts(*kernel->function);
  const std::uint64_t allowed = kernel->max_dynamic_shared != 0
                                    ? kernel->max_dynamic_shared
                                    : device.limits().shared_bytes_per_block - facts.static_shared_bytes;
  *blocks = 0;
  if (shared <= allowed && static_cast<std::uint32_t>(block_size) <= device.limits().max_threads_per_block) {
    *blocks = static_cast<int>(device.blocks_per_sm(*kernel->function, static_cast<std::uint32_t>(block_size),
                                                    static_cast<std::uint32_t>(shared)));
  }
  return call.end(cudaSuccess);
}

}  // namespace

}  // namespace workbook::cudart

using namespace workbook::cudart;  // NOLINT: the exported functions below are part of it
namespace sim = workbook::sim;

WORKBOOK_EXPORT cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                               std::size_t shared, cudaStream_t stream) {
  return launch_by_address("cudaLaunchKernel", kernel, {"", grid, block, shared, stream, arguments, false});
}

WORKBOOK_EXPORT cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block,
                                                    void** arguments, std::size_t shared,
                                                    cudaStream_t stream) {
  PerThreadDefault scope;
  return __cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  return launch_by_address("cudaLaunchKernel", function, {"", grid, block, shared, stream, arguments, false});
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared, cudaStream_t stream) {
  return launch_by_address("cudaLaunchCooperativeKernel", function,
                           {"", grid, block, shared, stream, arguments, true});
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  if (config == nullptr) return remember(cudaErrorInvalidValue);
  Launch l{"", config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, arguments, false};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) l.cooperative = attribute.val.cooperative != 0;
    const bool cluster =
        attribute.id == cudaLaunchAttributeClusterDimension &&
        attribute.val.clusterDim.x * attribute.val.clusterDim.y * attribute.val.clusterDim.z != 1;
    if (cluster) return remember(cudaErrorNotSupported);  // other attributes only give hints
  }
  return launch_by_address("cudaLaunchKernelExC", function, l);
}

cudaError_t cudaGetKernel(cudaKernel_t* out, const void* function) {
  Call call("cudaGetKernel");
  if (call.refused()) return call.refusal();
  Kernel* const kernel = Modules::get().find(function);
  if (out == nullptr) return call.end(cudaErrorInvalidValue);
  if (kernel == nullptr) return call.end(unknown_kernel(function));
  *out = reinterpret_cast<cudaKernel_t>(kernel);
  return call.end(cudaSuccess);
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  Call call("cudaFuncGetName");
  if (call.refused()) return call.refusal();
  const Kernel* const kernel = Modules::get().find(function);
  if (name == nullptr) return call.end(cudaErrorInvalidValue);
  if (kernel == nullptr) return call.end(unknown_kernel(function));
  *name = kernel->name.c_str();
  return call.end(cudaSuccess);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, const void* function) {
  Call call("cudaFuncGetAttributes");
  if (call.refused()) return call.refusal();
  if (out == nullptr) return call.end(cudaErrorInvalidValue);
  Kernel* kernel = nullptr;
  if (const cudaError_t error = find_loaded(function, kernel); error != cudaSuccess) return call.end(error);
  sim::Device& device = call.runtime.device();
  const sim::FunctionFacts& facts = device.facts(*kernel->function);
  std::memset(out, 0, sizeof *out);
  out->sharedSizeBytes = facts.static_shared_bytes;
  out->localSizeBytes = facts.local_bytes;
  out->maxThreadsPerBlock = static_cast<int>(facts.max_threads_per_block);
  out->numRegs = static_cast<int>(facts.registers);
  out->ptxVersion = 75;
  out->binaryVersion = 90;
  out->maxDynamicSharedSizeBytes = static_cast<int>(
      kernel->max_dynamic_shared != 0 ? kernel->max_dynamic_shared
                                      : device.limits().shared_bytes_per_block - facts.static_shared_bytes);
  out->preferredShmemCarveout = -1;
  return call.end(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  Call call("cudaFuncSetAttribute");
  if (call.refused()) return call.refusal();
  Kernel* kernel = nullptr;
  if (const cudaError_t error = find_loaded(function, kernel); error != cudaSuccess) return call.end(error);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) {
    const bool hint = attribute == cudaFuncAttributePreferredSharedMemoryCarveout;
    return call.end(hint ? cudaSuccess : cudaErrorInvalidValue);
  }
  sim::Device& device = call.runtime.device();
  const std::uint32_t most =
      device.limits().shared_bytes_per_block_optin - device.facts(*kernel->function).static_shared_bytes;
  if (value < 0 || static_cast<std::uint32_t>(value) > most) return call.end(cudaErrorInvalidValue);
  kernel->max_dynamic_shared = static_cast<std::uint32_t>(value);
  return call.end(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  Call call("cudaFuncSetCacheConfig");
  if (call.refused()) return call.refusal();
  return call.end(Modules::get().find(function) != nullptr ? cudaSuccess : unknown_kernel(function));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size,
                                                          std::size_t shared) {
  return occupancy("cudaOccupancyMaxActiveBlocksPerMultiprocessor", blocks, function, block_size, shared);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int block_size, std::size_t shared,
                                                                   unsigned) {
  return occupancy("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, function, block_size,
                   shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks,
                                                      int block_size) {
  Call call("cudaOccupancyAvailableDynamicSMemPerBlock");
  if (call.refused()) return call.refusal();
  if (bytes == nullptr || blocks <= 0 || block_size <= 0) return call.end(cudaErrorInvalidValue);
  Kernel* kernel = nullptr;
  if (const cudaError_t error = find_loaded(function, kernel); error != cudaSuccess) return call.end(error);
  const sim::Limits& limits = call.runtime.device().limits();
  constexpr std::uint32_t reserved = 1024;  // per block, by the system
  const std::uint32_t each = limits.shared_bytes_per_sm / static_cast<std::uint32_t>(blocks);
  const std::uint32_t fixed = call.runtime.device().facts(*kernel->function).static_shared_bytes + reserved;
  *bytes = each > fixed ? each - fixed : 0;
  return call.end(cudaSuccess);
}
