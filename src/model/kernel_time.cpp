#include <algorithm>
#include <cmath>
#include <utility>

#include "model/profile.h"

namespace workbook::model {
namespace {

constexpr double sector = 32;  // bytes

using sim::Counters;
using sim::InstructionClass;

double count(const Counters& c, InstructionClass k) {
  return static_cast<double>(c.inst_by_class[static_cast<std::size_t>(k)]);
}

double blocks_of(const Counters& c) {
  return double(c.grid[0]) * c.grid[1] * c.grid[2];
}
double warps_per_block(const Counters& c) {
  return std::ceil(double(c.block[0]) * c.block[1] * c.block[2] / 32.0);
}

// Issue slots: one a PTX instruction, more for the classes whose unit is narrower than a warp. Lanes per
// cycle and scheduler: 32 for fp32 and integer, 16 for fp64, fp16x2 and most conversions, 4 for special
// functions (CUDA C++ Programming Guide, table of arithmetic throughput, compute capability 9.0).
double issue_slots(const Counters& c) {
  double slots = static_cast<double>(c.inst_executed);
  slots += count(c, InstructionClass::fp64);            // 2 in all
  slots += 3 * count(c, InstructionClass::conversion);  // 4
  slots += 7 * count(c, InstructionClass::special);     // 8
  return slots;
}

// DRAM traffic in bytes: what is read for the first time and was not in the L2, and what is written beyond
// what the L2 can keep.
double dram_bytes(const Profile& p, const Counters& c) {
  const double read = static_cast<double>(c.first_read_sectors_dram + c.first_read_sectors_l2_hit) * sector;
  const double fetched = static_cast<double>(c.first_read_sectors_dram) * sector;
  const double written = static_cast<double>(c.written_sectors) * sector;
  const double room = std::max(0.0, static_cast<double>(p.limits.l2_bytes) * p.kernel.l2_usable - read);
  return fetched + std::max(0.0, written - room);
}

// L2 traffic: whole sectors at the L2's rate; stores that fill only part of their sectors at the rate of
// transactions.
double l2_ns(const Profile& p, const Counters& c) {
  const double stored = static_cast<double>(c.global_store.sectors + c.local_store.sectors);
  const double needed = static_cast<double>(c.global_store.bytes + c.local_store.bytes) / sector;
  const double whole = static_cast<double>(c.l2_read_sectors) + std::min(stored, needed);
  return whole * sector / p.kernel.l2_bytes_per_ns +
         std::max(0.0, stored - needed) / p.kernel.l2_partial_per_ns;
}

// The load/store unit passes one wavefront a cycle and SM: 128 bytes of L1, or one pass over the banks.
double lsu_ns(const Profile& p, const Counters& c) {
  const auto wavefronts = [](const sim::AccessCounters& a) {
    return std::max(static_cast<double>(a.requests), static_cast<double>(a.sectors) / 4);
  };
  const double total =
      wavefronts(c.global_load) + wavefronts(c.global_store) + wavefronts(c.local_load) +
      wavefronts(c.local_store) +
      static_cast<double>(c.shared_load.wavefronts + c.shared_store.wavefronts + c.shared_atomic.wavefronts);
  return total * p.kernel.lsu_cycles / p.limits.sm_count * 1e6 / p.limits.clock_khz;
}

double atomics_ns(const Profile& p, const Counters& c) {
  const double hot = std::max(static_cast<double>(c.atomic_hottest_integer) * p.kernel.atomic_hot_integer_ns,
                              static_cast<double>(c.atomic_hottest_float) * p.kernel.atomic_hot_float_ns);
  return std::max(hot, static_cast<double>(c.atomic_lanes) / p.kernel.atomic_lanes_per_ns);
}

// Every block takes its own latency (start and drain included) on a slot of an SM; there are sm_count x
// blocks_per_sm slots. A grid that does not fill them takes as long as its slowest block.
double latency_ns(const Profile& p, const Counters& c, std::uint32_t blocks_per_sm) {
  const double cycle = 1e6 / p.limits.clock_khz;
  const double blocks = std::max(1.0, blocks_of(c));
  const double read = static_cast<double>(c.first_read_sectors_dram + c.first_read_sectors_l2_hit);
  const double missing = read > 0 ? static_cast<double>(c.first_read_sectors_dram) / read : 0;
  const auto latency = [&](std::uint64_t cycles, std::uint64_t trips) {
    return (static_cast<double>(cycles) + static_cast<double>(trips) * missing * p.kernel.dram_extra_cycles) *
           cycle;
  };
  const double own = p.kernel.block_overhead_ns + p.kernel.warp_overhead_ns * warps_per_block(c);
  const double slots = std::min(blocks, double(p.limits.sm_count) * std::max(1u, blocks_per_sm));
  const double all = latency(c.block_latency_cycles_sum, c.block_latency_trips_sum) + blocks * own;
  const double slowest = latency(c.block_latency_cycles_max, c.block_latency_trips_max) + own;
  // What a kernel's own clock shows, its events may not contradict.
  const double last = c.last_block_end_cycles == 0 ? 0 : double(c.last_block_end_cycles) * cycle + own;
  return std::max({all / slots, slowest, last});
}

}  // namespace

// T = fixed + (sum of term^p)^(1/p): the terms overlap well but not perfectly.
KernelTime kernel_time(const Profile& p, const Counters& c, std::uint32_t blocks_per_sm) {
  KernelTime t;
  const double cycle = 1e6 / p.limits.clock_khz;
  t.dispatch = blocks_of(c) * p.kernel.block_dispatch_ns;
  t.issue = issue_slots(c) * p.kernel.ptx_to_issue / p.kernel.issue_per_cycle / p.limits.sm_count * cycle;
  t.dram = dram_bytes(p, c) / p.kernel.dram_bytes_per_ns;
  t.l2 = l2_ns(p, c);
  t.latency = latency_ns(p, c, blocks_per_sm);
  t.shared = lsu_ns(p, c);
  t.atomics = atomics_ns(p, c);
  t.occupancy = std::min(1.0, std::min(blocks_of(c) / p.limits.sm_count, double(blocks_per_sm)) *
                                  warps_per_block(c) * 32 / p.limits.max_threads_per_sm);

  const std::pair<double, const char*> terms[] = {
      {t.dispatch, "block dispatch"},
      {t.issue, "instruction issue"},
      {t.dram, "DRAM bandwidth"},
      {t.l2, "L2 bandwidth"},
      {t.latency, "latency"},
      {t.shared, "load/store unit"},
      {t.atomics, "atomics on one address"},
  };
  double sum = 0;
  double largest = 0;
  for (const auto& [ns, what] : terms) {
    sum += std::pow(ns, p.kernel.overlap_power);
    if (ns > largest) {
      largest = ns;
      t.bound_by = what;
    }
  }
  const bool touches_memory = c.global_load.requests + c.global_store.requests + c.atomic_requests > 0;
  const double fixed = p.kernel.fixed_ns + (touches_memory ? p.kernel.first_access_ns : 0);
  const double own = std::pow(sum, 1 / p.kernel.overlap_power);
  // An empty block's start and drain is already in the fixed time.
  const double counted = p.kernel.block_overhead_ns + p.kernel.warp_overhead_ns;
  t.ns = std::llround(fixed + std::max(0.0, own - counted));
  if (own < fixed) t.bound_by = "launch";
  return t;
}

}  // namespace workbook::model
