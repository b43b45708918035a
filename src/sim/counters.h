// What one kernel launch did, counted. Names follow Nsight Compute where it has the quantity.
//
// Exact (equal to ncu's on a GPU for the same program): the launch facts, and requests and sectors of global
// loads and stores. Instruction counts are those of PTX, not of SASS. Fields marked "estimated" come from a
// simplified cache or scoreboard and are documented as such. All counts are the same for any number of host
// cores that ran the simulation.
#pragma once

#include <array>
#include <cstdint>

namespace workbook::sim {

// Classes the time model prices. One PTX instruction belongs to one class.
enum class InstructionClass : std::uint8_t {
  integer,      // add, logic, shifts, compares, moves, selects
  integer_mul,  // mul, mad, dp4a
  fp32,
  fp64,
  fp16,
  special,  // rcp, sqrt, sin, ex2, lg2, integer division
  conversion,
  load,
  store,  // any space, the counters below tell which
  atomic,
  shuffle,  // shfl, vote, match, redux
  barrier,  // bar, barrier, fences
  control,  // branches, calls, exits
  tensor,
  count_
};
inline constexpr int instruction_classes = static_cast<int>(InstructionClass::count_);

struct AccessCounters {
  std::uint64_t requests = 0;  // warp-level instructions with at least one active lane
  std::uint64_t sectors = 0;   // distinct 32-byte sectors per request, summed
  std::uint64_t bytes = 0;     // bytes the active lanes asked for
};

struct SharedCounters {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;  // passes through the 32 banks; wavefronts - requests (or the minimum for
                                 // 8- and 16-byte lanes) is what conflicts cost
};

struct Counters {
  // launch facts
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  std::uint32_t registers_per_thread = 0;  // from the cubin where there is one, else estimated
  bool registers_estimated = true;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint64_t warps = 0;  // launched

  // instructions (PTX), warp level and thread level
  std::uint64_t inst_executed = 0;                                 // smsp__inst_executed.sum (of PTX)
  std::uint64_t thread_inst_executed = 0;                          // smsp__thread_inst_executed.sum (of PTX)
  std::array<std::uint64_t, instruction_classes> inst_by_class{};  // warp level
  std::uint64_t branches = 0;
  std::uint64_t divergent_branches = 0;

  // memory, at the level of the load/store unit
  AccessCounters global_load;   // l1tex__t_requests/sectors_pipe_lsu_mem_global_op_ld.sum
  AccessCounters global_store;  // ..._op_st.sum
  AccessCounters local_load;
  AccessCounters local_store;
  SharedCounters shared_load;  // l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
  SharedCounters shared_store;
  SharedCounters shared_atomic;  // ncu has them in neither of the two

  // atomics on global memory
  std::uint64_t atomic_requests = 0;  // warp level
  std::uint64_t atomic_lanes = 0;     // lane level
  std::uint64_t atomic_sectors = 0;
  std::uint64_t atomic_hottest_integer = 0;  // lane operations on the most used address, integer types
  std::uint64_t atomic_hottest_float = 0;    // the same for float and double

  // caches (estimated)
  std::uint64_t l1_hit_sectors = 0;   // of global_load.sectors
  std::uint64_t l2_read_sectors = 0;  // global and local loads that missed L1
  std::uint64_t l2_write_sectors = 0;
  std::uint64_t first_read_sectors_l2_hit = 0;  // distinct sectors first touched by a read and already in L2
  std::uint64_t first_read_sectors_dram = 0;    // distinct sectors first touched by a read, fetched from DRAM
  std::uint64_t written_sectors = 0;            // distinct sectors written

  // latency, from a per-warp in-order scoreboard (estimated). A block's latency is that of its slowest warp,
  // barriers included, if it had an SM to itself; in SM cycles with L2-hit latency for L1 misses. `trips`
  // counts the L1 misses on that critical path, so that the model can add the way to DRAM.
  std::uint64_t block_latency_cycles_sum = 0;  // over blocks
  std::uint64_t block_latency_cycles_max = 0;
  std::uint64_t block_latency_trips_sum = 0;
  std::uint64_t block_latency_trips_max = 0;

  // SM cycles from the start of the kernel to the end of its last block, when blocks that find no free place
  // on an SM wait for one. Only for kernels that read %globaltimer, which could contradict it; else 0.
  std::uint64_t last_block_end_cycles = 0;
};

}  // namespace workbook::sim
