// A device profile: the constants of the time model for one GPU, each with its source.
//
// A profile has a name and a version ("h200@1"). Change a constant and the version goes up, because a grade
// that names a profile must mean the same thing for ever.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.h"
#include "sim/device.h"

namespace workbook::model {

// One measured point of a curve: a transfer, an allocation.
struct TransferPoint {
  double bytes;
  double us;
};
using TransferCurve = std::vector<TransferPoint>;  // rising bytes

struct KernelConstants {
  double fixed_ns;           // an empty kernel, start to end
  double first_access_ns;    // constant bank and instruction cache, cold, for a kernel that touches memory
  double block_dispatch_ns;  // the work distributor starts one block
  double block_overhead_ns;  // a block's start and drain on its SM ...
  double warp_overhead_ns;   // ... and per warp of the block
  double dram_bytes_per_ns;  // read plus written, best case
  double l2_bytes_per_ns;    // read plus written, resident
  double l2_partial_per_ns;  // stores of part of a sector, sectors per ns
  double dram_extra_cycles;  // latency of DRAM beyond an L2 hit
  double issue_per_cycle;    // warp instructions an SM issues
  double ptx_to_issue;       // issue slots of one PTX instruction, on average
  double lsu_cycles;         // SM cycles of one wavefront of the load/store unit (L1 or shared)
  double atomic_hot_integer_ns;  // one operation when all go to one address
  double atomic_hot_float_ns;
  double atomic_lanes_per_ns;  // spread over many addresses
  double l2_usable;            // share of the L2 that a streaming kernel keeps
  double overlap_power;        // p of the p-norm that joins the terms: 1 = no overlap, infinity = perfect
};

struct Profile {
  std::string name;
  int version = 1;
  std::string device_name;
  bool calibrated = false;
  sim::Limits limits;
  sim::Latencies latencies;
  KernelConstants kernel{};
  Costs costs{};
  TransferCurve pageable_to_device{}, pageable_to_host{}, within_host{};
  double pinned_bytes_per_ns = 0;
  double pinned_start_ns = 0;         // the copy engine's own start
  double copy_call_to_device_ns = 0;  // host time of cudaMemcpyAsync, pinned
  double copy_call_to_host_ns = 0;
  TransferCurve pin{}, unpin{};                        // cudaMallocHost, cudaFreeHost by size
  TransferCurve register_pages{}, unregister_pages{};  // cudaHostRegister of pages that are there, and back
  TransferCurve malloc{}, free{};                      // cudaMalloc, cudaFree by size
  TransferCurve jit{};                                 // compiling a module, by bytes of its PTX
  TransferCurve jit_cache{};  // ... and fetching it from the cache on the disk, or writing it there
  double malloc_async_ns = 0;
  double memset_bytes_per_ns = 0;
  double device_copy_bytes_per_ns = 0;  // read plus written, cudaMemcpy device to device
};

}  // namespace workbook::model
