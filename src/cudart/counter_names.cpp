#include "cudart/counter_names.h"

#include <algorithm>

namespace workbook::cudart {

namespace {

struct Row {
  const char* name;
  std::uint64_t (*value)(const sim::Counters&);
};
struct LimitRow {
  const char* name;
  std::uint64_t (*value)(const sim::Counters&, const sim::Limits&);
};

std::uint64_t product(const std::array<std::uint32_t, 3>& d) {
  return std::uint64_t{d[0]} * d[1] * d[2];
}

// A thread gets 16 at least, whatever the cubin says (ncu on an H200, 2026-12-01).
std::uint64_t registers(const sim::Counters& c) {
  return std::max(c.registers_per_thread, 16u);
}

// Names without "__" are the workbook's own, for what Nsight Compute has no single metric for.
constexpr Row rows[] = {
    {"launch__grid_size", [](const sim::Counters& c) { return product(c.grid); }},
    {"launch__block_size", [](const sim::Counters& c) { return product(c.block); }},
    {"launch__thread_count", [](const sim::Counters& c) { return product(c.grid) * product(c.block); }},
    {"launch__registers_per_thread", [](const sim::Counters& c) { return registers(c); }},
    {"launch__shared_mem_per_block_static",
     // The assembler rounds them up.
     [](const sim::Counters& c) { return (std::uint64_t{c.static_shared_bytes} + 15) / 16 * 16; }},
    {"launch__shared_mem_per_block_dynamic",
     [](const sim::Counters& c) { return std::uint64_t{c.dynamic_shared_bytes}; }},
    {"smsp__warps_launched.sum", [](const sim::Counters& c) { return c.warps; }},
    {"smsp__inst_executed.sum", [](const sim::Counters& c) { return c.inst_executed; }},
    {"smsp__thread_inst_executed.sum", [](const sim::Counters& c) { return c.thread_inst_executed; }},
    {"branches", [](const sim::Counters& c) { return c.branches; }},
    {"divergent_branches", [](const sim::Counters& c) { return c.divergent_branches; }},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     [](const sim::Counters& c) { return c.global_load.requests; }},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     [](const sim::Counters& c) { return c.global_load.sectors; }},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     [](const sim::Counters& c) { return c.global_store.requests; }},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
     [](const sim::Counters& c) { return c.global_store.sectors; }},
    {"global_load_bytes", [](const sim::Counters& c) { return c.global_load.bytes; }},
    {"global_store_bytes", [](const sim::Counters& c) { return c.global_store.bytes; }},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
     [](const sim::Counters& c) { return c.local_load.requests; }},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
     [](const sim::Counters& c) { return c.local_load.sectors; }},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
     [](const sim::Counters& c) { return c.local_store.requests; }},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
     [](const sim::Counters& c) { return c.local_store.sectors; }},
    {"smsp__inst_executed_op_shared_ld.sum", [](const sim::Counters& c) { return c.shared_load.requests; }},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     [](const sim::Counters& c) { return c.shared_load.wavefronts; }},
    {"smsp__inst_executed_op_shared_st.sum", [](const sim::Counters& c) { return c.shared_store.requests; }},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     [](const sim::Counters& c) { return c.shared_store.wavefronts; }},
    {"shared_atomic_requests", [](const sim::Counters& c) { return c.shared_atomic.requests; }},
    {"shared_atomic_wavefronts", [](const sim::Counters& c) { return c.shared_atomic.wavefronts; }},
    {"atomic_requests", [](const sim::Counters& c) { return c.atomic_requests; }},
    {"atomic_lanes", [](const sim::Counters& c) { return c.atomic_lanes; }},
    {"atomic_sectors", [](const sim::Counters& c) { return c.atomic_sectors; }},
    {"l1_hit_sectors", [](const sim::Counters& c) { return c.l1_hit_sectors; }},
    {"lts__t_sectors_op_read.sum", [](const sim::Counters& c) { return c.l2_read_sectors; }},
    {"lts__t_sectors_op_write.sum", [](const sim::Counters& c) { return c.l2_write_sectors; }},
    {"dram__sectors_read.sum", [](const sim::Counters& c) { return c.first_read_sectors_dram; }},
    {"written_sectors", [](const sim::Counters& c) { return c.written_sectors; }},
};

std::uint64_t warps_of_block(const sim::Counters& c) {
  return (product(c.block) + 31) / 32;
}

// How many blocks fit on a multiprocessor by each of its resources.
constexpr LimitRow limit_rows[] = {
    {"launch__occupancy_limit_blocks",
     [](const sim::Counters&, const sim::Limits& l) { return std::uint64_t{l.max_blocks_per_sm}; }},
    {"launch__occupancy_limit_warps",
     [](const sim::Counters& c, const sim::Limits& l) {
       return l.max_threads_per_sm / 32 / warps_of_block(c);
     }},
    {"launch__occupancy_limit_registers",
     [](const sim::Counters& c, const sim::Limits& l) {
       // A warp's registers come in units of 256, from the quarter of the multiprocessor that it lives in.
       const std::uint64_t per_warp = (registers(c) * 32 + 255) / 256 * 256;
       return l.registers_per_sm / 4 / per_warp * 4 / warps_of_block(c);
     }},
};

}  // namespace

void list_counters(const sim::Counters& counters, const sim::Limits& limits, std::vector<std::string>& names,
                   std::vector<std::uint64_t>& values) {
  for (const Row& row : rows) {
    names.emplace_back(row.name);
    values.push_back(row.value(counters));
  }
  for (const LimitRow& row : limit_rows) {
    names.emplace_back(row.name);
    values.push_back(row.value(counters, limits));
  }
}

}  // namespace workbook::cudart
