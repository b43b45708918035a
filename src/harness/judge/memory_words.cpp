// What the counters of a region say about wasted memory traffic, for a page that says "too slow".
#include <fmt/format.h>

#include "harness/judge/state.h"

namespace workbook::judge {

namespace {

constexpr double worth_a_word = 1.9;  // times what the bytes need

std::uint64_t counted(const Trace& trace, std::string_view name) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < trace.kernels().size(); ++k) sum += trace.counter(k, name).value_or(0);
  return sum;
}

// "Loads from global memory: 32.0 sectors for each request of a warp, and its bytes would fit into 4.0."
void global_words(const Trace& trace, const char* what, const char* op, const char* bytes_name,
                  std::vector<std::string>& lines) {
  const auto of = [&](const char* unit) {
    return static_cast<double>(
        counted(trace, fmt::format("l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum", unit, op)));
  };
  const double requests = of("requests"), sectors = of("sectors");
  const double needed = static_cast<double>(counted(trace, bytes_name)) / 32;
  if (requests == 0 || needed == 0 || sectors < worth_a_word * needed || sectors / requests < 2) return;
  lines.push_back(fmt::format(
      "{} global memory: {:.1f} sectors for each request of a warp; its bytes would fit into {:.1f}.", what,
      sectors / requests, needed / requests));
}

void shared_words(const Trace& trace, const char* what, const char* op, std::vector<std::string>& lines) {
  const auto requests =
      static_cast<double>(counted(trace, fmt::format("smsp__inst_executed_op_shared_{}.sum", op)));
  const auto passes = static_cast<double>(
      counted(trace, fmt::format("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum", op)));
  // Wide loads take up to four passes without any conflict.
  if (requests == 0 || passes / requests < 2 * 1.9) return;
  lines.push_back(fmt::format("{} shared memory: {:.1f} passes over the banks for each request of a warp.",
                              what, passes / requests));
}

}  // namespace

std::vector<std::string> memory_words(const Trace& trace) {
  std::vector<std::string> lines;
  if (!trace.counters_known()) return lines;
  global_words(trace, "Loads from", "ld", "global_load_bytes", lines);
  global_words(trace, "Stores to", "st", "global_store_bytes", lines);
  shared_words(trace, "Loads from", "ld", lines);
  shared_words(trace, "Stores to", "st", lines);
  const std::uint64_t local = counted(trace, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum") +
                              counted(trace, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum");
  if (local > 0) lines.push_back(fmt::format("Local memory was used: {} sectors.", local));
  return lines;
}

}  // namespace workbook::judge
