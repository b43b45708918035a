// 4.3: a kernel whose counts live in registers. The result, what ptxas says of it for two architectures, and
// that each value is read once.
//
// How many sectors of local memory a run touches is told, not judged: the simulated device executes PTX,
// where an array may still have addresses that ptxas takes away later. Whether it has a stack, ptxas knows.
#include <workbook/check.h>
#include <workbook/compiled.h>

#include <numeric>

using namespace workbook;

EXERCISE("4.3", "How often does each digit stand in each column? Without a stack, and without spills.")

namespace {

constexpr int digits = 16;

struct Problem {
  int rows, columns;
  std::vector<std::uint8_t> x;
  std::vector<int> counts;
};

Problem problem(int rows, int columns) {
  Inputs in(static_cast<std::uint64_t>(rows) * 4099 + static_cast<std::uint64_t>(columns));
  const auto size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  Problem p{rows, columns, in.bytes("x", size),
            std::vector<int>(digits * static_cast<std::size_t>(columns), 0)};
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t column = i % static_cast<std::size_t>(columns);
    // One column has the same digit from top to bottom, most of them a favourite.
    p.x[i] = column % 7 == 3 ? 11 : p.x[i] % 3 == 0 ? p.x[i] / 3 % digits : p.x[i] % digits;
    ++p.counts[p.x[i] * static_cast<std::size_t>(columns) + column];
  }
  return p;
}

Result call(const Problem& p) {
  Run run("count_digits");
  run.say("{} rows, {} columns", p.rows, p.columns).value("rows", p.rows).value("columns", p.columns);
  return run.in("d_x", p.x).out<int>("d_counts", p.counts.size()).go();
}

// Counts of a column that do not add up say more than the first wrong count.
void expect_all_counted(const Result& result, const Problem& p) {
  const auto counts = result.array<int>("d_counts");
  for (int c = 0; c < p.columns; ++c) {
    std::int64_t sum = 0;
    bool written = true;
    for (int d = 0; d < digits; ++d) {
      const int count = counts[static_cast<std::size_t>(d) * static_cast<std::size_t>(p.columns) +
                               static_cast<std::size_t>(c)];
      written = written && count != -1;
      sum += count;
    }
    if (!written || sum == p.rows) continue;
    result.fail({sum < p.rows ? "counts_too_little" : "counts_too_much",
                 fmt::format("the counts of column {} add up to {}, and it has {} rows.", c, sum, p.rows),
                 {},
                 sum < p.rows ? "Which rows does a thread look at, the last ones too?"
                              : "Whose values are in the counts of one column?"});
  }
}

void expect_right(const Result& result, const Problem& p) {
  result.expect_clean();
  result.expect_that(result.integer("status") == 0,
                     {"returned_error",
                      fmt::format("count_digits returned {}.", result.text("status_name")),
                      {},
                      "Which launch is refused, and what does it ask for?"});
  expect_all_counted(result, p);
  result.expect("d_counts", p.counts);
}

// "count_kernel for sm_90: 32 registers, 64 bytes of stack, 0 bytes of spill stores and 0 of loads"
std::string words(const CompiledKernel& k) {
  return fmt::format("{} for {}: {} registers, {} bytes of stack, {} bytes of spill stores and {} of loads",
                     k.name, k.arch, k.registers, k.stack, k.spill_stores, k.spill_loads);
}

std::vector<std::string> report() {
  std::vector<std::string> lines;
  for (const CompiledKernel& k : compiled().kernels()) lines.push_back(words(k));
  return lines;
}

// What that costs in one run.
std::string local_traffic(const Result& result) {
  const auto loads = result.trace().counter(0, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum");
  const auto stores = result.trace().counter(0, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum");
  if (!loads || !stores || *loads + *stores == 0) return "";
  return fmt::format(
      "With 400 rows and 1024 columns that is {} sectors read from local memory and {} written.", *loads,
      *stores);
}

}  // namespace

CHECK_CASE(right_for_any_shape) {
  struct Shape {
    int rows, columns;
  };
  const Shape shapes[] = {{100, 300}, {1, 1},    {0, 33},    {5, 0},   {37, 1000}, {1000, 37},
                          {255, 31},  {256, 32}, {257, 257}, {3, 513}, {1021, 101}};
  for (const Shape& s : shapes) {
    const Problem p = problem(s.rows, s.columns);
    expect_right(call(p), p);
  }
  passed("right for {} shapes", std::size(shapes));
}

CHECK_CASE(no_stack_and_no_spills) {
  const Problem p = problem(400, 1024);
  const Result result = call(p);
  result.expect_clean();
  std::vector<std::string> lines = report();
  if (const std::string traffic = local_traffic(result); !traffic.empty()) lines.push_back(traffic);
  expect_that(!compiled().kernels().empty(), {"no_kernel", "The file has no kernel.", {}, "Who counts?"});
  for (const CompiledKernel& k : compiled().kernels()) {
    const bool spills = k.spill_stores + k.spill_loads > 0;
    expect_that(
        !spills,
        {"spills",
         fmt::format("Right, but {} has {} bytes of spill stores for {}.", k.name, k.spill_stores, k.arch),
         lines, "What did you forbid the assembler, and where does it put what has no room?"});
    expect_that(
        k.stack == 0,
        {"stack", fmt::format("Right, but {} has {} bytes of stack for {}.", k.name, k.stack, k.arch), lines,
         "Which of your indices does the compiler not know, and in which memory can such an array lie?"});
  }
  passed("no stack, no spills, for sm_75 and sm_90");
}

CHECK_CASE(one_pass) {
  const Problem p = problem(400, 1024);
  const Result result = call(p);
  expect_right(result, p);
  const auto sectors = result.trace().counter(0, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  const std::size_t input = p.x.size() / 32;
  if (sectors && result.trace().kernels().size() == 1) {
    expect_that(*sectors <= input + input / 2,
                {"reads_more",
                 fmt::format("Each value is to be read once: that is {} sectors, and the kernel reads {}.",
                             input, *sectors),
                 report(), "What does a thread read besides the values, or how often does it read each?"});
  }
  passed("each value read once");
}
