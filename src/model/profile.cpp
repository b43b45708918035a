#include "model/profile.h"

#include <fmt/format.h>

#include <stdexcept>

namespace workbook::model {
namespace {

// NVIDIA H200 (SXM, 132 SMs, PCIe 5 x16, driver 580), measured 2026-11-30; the tables are kept with the
// design (calibration/h200.tsv and h200-latency-dispatch.tsv). Names in brackets are rows of those tables.
KernelConstants h200_kernel() {
  KernelConstants k;
  k.fixed_ns = 900;            // [empty launch] 4.51 us event to event less 3.6 us of the launch call
  k.first_access_ns = 500;     // [vadd n=2^10] 5.76 us against the empty kernel
  k.block_dispatch_ns = 0.61;  // [vadd n=2^24 b1 b32 b64]: 0.60-0.61 ns a block, whatever the block
  k.block_overhead_ns = 300;   // [nothing, block 128 .. 1024]: 0.35-0.7 us a wave of blocks
  k.warp_overhead_ns = 12.5;
  k.dram_bytes_per_ns = 4240;       // [memcpyD2D 1GiB]
  k.l2_bytes_per_ns = 5500;         // [vadd n=2^20], [copyk 1024]
  k.l2_partial_per_ns = 65;         // [tr_naive 8192]: 67 M sector writes in 1030 us
  k.dram_extra_cycles = 300;        // pointer chase, 2 GiB against 8 MiB
  k.issue_per_cycle = 4;            // four schedulers an SM
  k.ptx_to_issue = 0.93;            // [fma 132*16x256]
  k.lsu_cycles = 1.0;               // [bank stride=8], [bank stride=32]: 8.06 and 32.1 cycles a load
  k.atomic_hot_integer_ns = 0.733;  // [hist_g 2^24]
  k.atomic_hot_float_ns = 1.759;    // [red_atomic 2^24]
  k.atomic_lanes_per_ns = 65;       // not measured: the rate of partial stores
  k.l2_usable = 0.8;
  k.overlap_power = 4;  // fitted on [vadd n=2^24 b128, b256, b1024], [vadd n=2^26], [copyk 8192]

  return k;
}

Costs h200_costs() {
  return {
      .api_call = 300,
      .launch_call = 3600,     // [empty x100]: 3.6 us a launch; [costs: launch call, idle]: 4.6 us
      .launch_gap = 320,       // [costs: 20 empty kernels behind a spin]: 1.22 us a kernel, 0.9 us its own
      .launch_latency = 3500,  // [costs: launch + cudaDeviceSynchronize]: 9.9 us in all
      .event_record = 1600,    // [costs: cudaEventRecord]
      .event_query = 430,      // [costs: cudaEventQuery, done]
      .synchronize = 1500,
      .clock_read = 43,  // [costs: steady_clock::now]
      // [warm_up]: cudaGetDeviceCount 105-143 ms, cudaInitDevice after it 114-132 ms; together 200-208 ms
      // in another program of the same day.
      .driver_start = 105'000'000,
      .context_creation = 115'000'000,
      .first_allocation = 100'000,
      // A first launch took 157 us in [warm_up] and 474-554 us in another program; loading without a launch
      // 147 us.
      .first_module_load = 250'000,
      .module_load = 45'000,  // [warm_up: other_module]: 61 us, of which a launch 10, the kernel 11
      .function_load =
          11'000,  // [warm_up: load_second] 15 us; another kernel first 17.6-20.7 us against 9-10 us
      .first_launch = 25'000,  // all loaded before: 27.6-43.6 us against 9-11 us
  };
}

void set_h200_curves(Profile& p) {
  // Two H200 machines on one day, [H2D pageable] and bench/transfers: means, where they differ. Beyond the
  // CPU's caches they differ by a factor of up to two from run to run.
  p.pageable_to_device = {{4096, 5.5},    {65536, 16.3},      {262144, 25},         {1048576, 78},
                          {4194304, 300}, {16777216, 1201.4}, {268435456, 36871.62}};
  p.pageable_to_host = {{4096, 9.5},    {65536, 16.2},    {262144, 40},      {1048576, 118},
                        {4194304, 385}, {16777216, 1250}, {268435456, 21000}};
  // [transfers: within the host, cudaMemcpy], less the 2.5 us of the call.
  p.within_host = {{4096, 0.5},    {65536, 4.2},     {262144, 16.6},   {1048576, 59},
                   {4194304, 307}, {16777216, 1100}, {67108864, 7810}, {268435456, 30600}};
  p.pinned_bytes_per_ns = 55.4;
  p.pinned_start_ns = 1400;         // [H2D pinned 4KiB]: 3.97 us event to event, the call taken off
  p.copy_call_to_device_ns = 2500;  // [costs: cudaMemcpyAsync H2D pinned, call]
  p.copy_call_to_host_ns = 2200;
  // cudaMallocHost and cudaFreeHost of two H200 machines, between the two: 5.1 and 7.2 ms, 1.6 and 2.7 ms at
  // 16 MiB; 94-137 and 117 ms, 24 and 38 ms at 256 MiB.
  p.pin = {{4096, 550},      {65536, 580},      {1048576, 620},     {4194304, 1300},
           {16777216, 6000}, {67108864, 26000}, {268435456, 110000}};
  p.unpin = {{4096, 210},      {1048576, 250},   {4194304, 480},
             {16777216, 1950}, {67108864, 7800}, {268435456, 30000}};
  // [transfers: cudaHostRegister, cudaHostUnregister] of memory that has been written to. Most of what
  // cudaMallocHost costs is making the pages, and here they are made.
  p.register_pages = {{4096, 71},      {65536, 92},      {1048576, 134},   {4194304, 236},
                      {16777216, 680}, {67108864, 2290}, {268435456, 8900}};
  p.unregister_pages = {{4096, 40},      {65536, 53},      {1048576, 75},    {4194304, 117},
                        {16777216, 340}, {67108864, 1020}, {268435456, 3970}};
  // [costs: cudaMalloc, cudaFree]: up to 2 MiB a piece of a block that is already there, then a new mapping.
  p.malloc = {{4096, 2.56},   {1048576, 2.93},  {2097152, 3},       {2097153, 50},      {4194304, 53.7},
              {16777216, 57}, {67108864, 90.6}, {268435456, 136.4}, {1073741824, 174.7}};
  p.free = {{4096, 2.85},     {1048576, 2.76},  {2097152, 3},       {2097153, 48},      {4194304, 50},
            {16777216, 58.6}, {67108864, 89.5}, {268435456, 205.6}, {1073741824, 617.2}};
  // [warm_up: causes_text, large_4, large_16, large_40], and 3.3 MB of PTX in another program. A tiny one
  // took 17 to 87 ms, and 160 to 240 on another day: most of it is the compiler's own start.
  p.jit = {{3000, 42e3}, {31000, 79e3}, {126000, 300e3}, {322000, 1'000e3}, {3300000, 44.2e6}};
  p.jit_cache = {{3000, 70}, {31000, 450}, {126000, 1000}, {322000, 2100}, {3300000, 70e3}};
  p.malloc_async_ns = 2'000;     // a block the pool still holds; not measured
  p.memset_bytes_per_ns = 4500;  // [costs: cudaMemset 1024 MiB]: 241 us
  p.device_copy_bytes_per_ns = 4240;
}

Profile h200() {
  Profile p;
  p.name = "h200";
  p.version = 1;
  p.device_name = "NVIDIA H200 (simulated)";
  p.calibrated = true;

  // Pointer chase: 55, 371 and 671 cycles a hop for L1, L2 and DRAM, of which some 15 are the loop itself.
  p.latencies.l1_hit = 40;
  p.latencies.l2_hit = 300;

  p.kernel = h200_kernel();
  p.costs = h200_costs();
  set_h200_curves(p);
  return p;
}

const std::vector<Profile>& all() {
  static const std::vector<Profile> profiles = {h200()};
  return profiles;
}

}  // namespace

std::string name_of(const Profile& profile) {
  return fmt::format("{}@{}", profile.name, profile.version);
}

const Profile& find_profile(std::string_view wanted) {
  const Profile* newest = nullptr;
  for (const Profile& p : all()) {
    if (name_of(p) == wanted) return p;
    if (p.name == wanted && (newest == nullptr || newest->version < p.version)) newest = &p;
  }
  if (newest != nullptr) return *newest;
  throw std::invalid_argument(fmt::format("there is no device profile \"{}\"; the known ones: {}", wanted,
                                          fmt::join(profile_names(), ", ")));
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const Profile& p : all()) names.push_back(name_of(p));
  return names;
}

std::string device_name_of(const Profile& profile) {
  return profile.device_name;
}
const sim::Limits& limits_of(const Profile& profile) {
  return profile.limits;
}
const sim::Latencies& latencies_of(const Profile& profile) {
  return profile.latencies;
}
const Costs& costs_of(const Profile& profile) {
  return profile.costs;
}

}  // namespace workbook::model
