// The time model: counters of a launch, or bytes of a copy, to modelled nanoseconds on a device profile.
//
// Every formula is written beside its function in model.cpp, every constant with its source in profile.cpp.
// The page docs/time-model.md has the same formulae in words and a table of predicted against measured times.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/counters.h"
#include "sim/device.h"

namespace workbook::model {

// Where the bytes of a copy lie on the host.
enum class HostMemory : std::uint8_t { pageable, pinned };
// From where to where.
enum class CopyDirection : std::uint8_t { host_to_device, device_to_host, device_to_device, host_to_host };

struct Profile;  // see model/profile.h
const Profile& find_profile(
    std::string_view name_at_version);                 // "h200@1" or "h200"; throws std::invalid_argument
                                                       // whose text lists the known ones
std::vector<std::string> profile_names();              // "h200@1", ...
std::string name_of(const Profile& profile);           // "h200@1"
std::string device_name_of(const Profile& profile);    // "NVIDIA H200 (simulated)"
const sim::Limits& limits_of(const Profile& profile);  // threads, blocks, memory
const sim::Latencies& latencies_of(const Profile& profile);  // in cycles

// What bounds a kernel, for messages: "DRAM bandwidth", "latency", "block dispatch", ...
struct KernelTime {
  std::int64_t ns = 0;   // from start to end on the device, without the launch gap
  std::string bound_by;  // the largest term
  // the terms, in ns, for `--verbose` and the documentation
  double dispatch = 0, issue = 0, dram = 0, l2 = 0, latency = 0, shared = 0, atomics = 0;
  double occupancy = 0;  // resident warps / maximum, 0..1
};
// The time of a kernel that counted so much.
KernelTime kernel_time(const Profile&, const sim::Counters&, std::uint32_t blocks_per_sm);

// Time the copy engine (or the staging loop for pageable memory) is busy.
std::int64_t copy_ns(const Profile&, CopyDirection, HostMemory, std::uint64_t bytes);
std::int64_t memset_ns(const Profile&, std::uint64_t bytes);

// Host-side and one-time costs, all in ns.
struct Costs {
  std::int64_t api_call;        // a call that does no device work
  std::int64_t launch_call;     // host time of one kernel launch
  std::int64_t launch_gap;      // device time between two kernels of a stream, back to back
  std::int64_t launch_latency;  // launch call to kernel start on an idle device
  std::int64_t event_record, event_query, synchronize;  // host time of these calls
  std::int64_t clock_read;                              // what reading the host clock costs
  std::int64_t driver_start;                            // the first call of all
  std::int64_t context_creation;                        // once
  std::int64_t first_allocation;                        // on top of what any allocation takes
  std::int64_t first_module_load;                       // code of the first module to come to the device
  std::int64_t module_load;                             // ... of each further one
  std::int64_t function_load;                           // each kernel, before its first launch
  std::int64_t first_launch;                            // of a process, beyond what a launch takes
};
// The costs of a profile.
const Costs& costs_of(const Profile&);
// PTX of so many bytes: compiled; found compiled in the cache on the disk; written there.
std::int64_t jit_ns(const Profile&, std::uint64_t ptx_bytes);
std::int64_t jit_from_cache_ns(const Profile&, std::uint64_t ptx_bytes);
std::int64_t jit_to_cache_ns(const Profile&, std::uint64_t ptx_bytes);
// The variables of a module, with their first values.
std::int64_t module_data_ns(const Profile&, std::uint64_t bytes);
// Host time of allocating, freeing, pinning and registering so many bytes, and of undoing it.
std::int64_t malloc_ns(const Profile&, std::uint64_t bytes);
std::int64_t free_ns(const Profile&, std::uint64_t bytes);
std::int64_t malloc_async_ns(const Profile&, std::uint64_t bytes);
std::int64_t pin_ns(const Profile&, std::uint64_t bytes);  // cudaMallocHost, cudaHostAlloc
std::int64_t unpin_ns(const Profile&, std::uint64_t bytes);
std::int64_t register_ns(const Profile&, std::uint64_t bytes);  // cudaHostRegister, of memory with pages
std::int64_t unregister_ns(const Profile&, std::uint64_t bytes);
// Host time of an asynchronous copy call: pageable sources are staged before the call returns.
std::int64_t copy_call_ns(const Profile&, CopyDirection, HostMemory, std::uint64_t bytes);

}  // namespace workbook::model
