// 5.7: the product of two matrices of any sizes, from tiles in shared memory that are read without conflicts.
#include <workbook/check.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace workbook;

EXERCISE("5.7", "C = A B, from tiles in shared memory; each of the three sizes may be anything.")

namespace {

struct Problem {
  int m, n, k;
  std::vector<float> a, b;
};

Problem problem(int m, int n, int k) {
  Inputs in((static_cast<std::uint64_t>(m) * 8191 + static_cast<std::uint64_t>(n)) * 8191 +
            static_cast<std::uint64_t>(k));
  return {m, n, k, in.floats("a", std::size_t(m) * k, 0.5f, 2.0f),
          in.floats("b", std::size_t(k) * n, 0.5f, 2.0f)};
}

std::vector<float> product(const Problem& p) {
  std::vector<float> c;
  std::vector<double> row(static_cast<std::size_t>(p.n));
  for (std::size_t i = 0; i < std::size_t(p.m); ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t l = 0; l < std::size_t(p.k); ++l) {
      const double a = p.a[i * std::size_t(p.k) + l];
      const float* b = &p.b[l * std::size_t(p.n)];
      for (std::size_t j = 0; j < row.size(); ++j) row[j] += a * b[j];
    }
    for (const double sum : row) c.push_back(static_cast<float>(sum));
  }
  return c;
}

// All products are positive; each of k additions rounds by at most 2^-24 of what it gives.
Tolerance rounding(int k) {
  return within((k + 2) * std::ldexp(1.0, -24));
}

void prepare(Run& run, const Problem& p, std::size_t out) {
  run.say("m = {}, n = {}, k = {}", p.m, p.n, p.k);
  run.value("m", p.m).value("n", p.n).value("k", p.k).in("a", p.a).in("b", p.b).out<float>("c", out);
}

std::uint64_t counted(const Result& result, const char* name) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < result.trace().kernels().size(); ++k)
    sum += result.trace().counter(k, name).value_or(0);
  return sum;
}

// Places of a tile that nobody loaded hold anything: on the simulated device no number.
void expect_numbers(const Result& result, int n) {
  const auto c = result.array<float>("c");
  for (std::size_t i = 0; i < c.size(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &c[i], sizeof bits);
    if (!std::isnan(c[i]) || bits == 0xffffffffu) continue;  // never written: told better by expect
    result.fail({"no_number",
                 fmt::format("{} is {}.", at(n)(i), c[i]),
                 {"Something was multiplied that nobody had loaded: shared memory begins with anything."},
                 "Which threads load a square, and does each place of it get its number, or a zero?"});
  }
}

// A warp that reads one number in one pass serves its 32 products. Two reads a product are what a plain tile
// needs.
void expect_few_passes(const Result& result, const Problem& p) {
  if (!result.trace().counters_known()) return;
  const std::uint64_t passes = counted(result, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
  const std::uint64_t reads = counted(result, "smsp__inst_executed_op_shared_ld.sum");
  const double plain = 2.0 * p.m * p.n * p.k / 32;
  result.expect_that(
      static_cast<double>(passes) <= 1.25 * plain,
      {"bank_conflicts",
       fmt::format("c is right, and its {} reads of shared memory took {} passes.", reads, passes),
       {fmt::format("That is {:.1f} passes for each read of a warp; a plain tile takes one.",
                    static_cast<double>(passes) / static_cast<double>(std::max<std::uint64_t>(reads, 1))),
        "Lanes that read different rows of one bank are served one after the other."},
       "Which index of a tile changes from lane to lane, and how far apart are the places?"});
  passed("{:.2f} x the passes of a plain tile", static_cast<double>(passes) / plain);
}

}  // namespace

CHECK_CASE(every_shape) {
  struct Shape {
    int m, n, k;
  };
  const Shape shapes[] = {{64, 64, 128}, {96, 64, 64}, {37, 64, 64},  {64, 37, 64},  {64, 64, 37},
                          {64, 64, 100}, {1, 1, 1},    {1, 100, 40},  {100, 1, 40},  {33, 65, 97},
                          {31, 32, 33},  {65, 33, 3},  {128, 130, 1}, {17, 300, 129}};
  for (const Shape& s : shapes) {
    const Problem p = problem(s.m, s.n, s.k);
    Run run("product");
    prepare(run, p, std::size_t(s.m) * s.n);
    const Result result = run.go();
    result.expect_clean(
        "Which of the three sizes ends here, and does the thread that loads ask for the right one?");
    expect_numbers(result, s.n);
    result.expect("c", product(p), rounding(s.k), at(s.n));
  }
  passed("right for {} shapes", std::size(shapes));
}

CHECK_CASE(fast_enough) {
  constexpr int slots = 64;  // each run has another A, 96 numbers further on in a longer one
  Problem p = on_simulated_device() ? problem(1024, 1024, 64) : problem(1024, 1024, 1024);
  const std::size_t count = std::size_t(p.m) * p.n, of_a = p.a.size();
  const auto longer = Inputs(5).floats("a", of_a + 96 * slots, 0.5f, 2.0f);
  p.a = longer;
  Run run("product_timed");
  prepare(run, p, count + 64 * slots);
  const Result result = run.value("slots", slots).go();
  result.expect_clean();
  const int last = static_cast<int>(std::min<std::int64_t>(result.integer("runs"), slots)) - 1;
  const auto run_number = [&](int r) {
    const auto first = longer.begin() + 96 * r;
    p.a.assign(first, first + static_cast<std::ptrdiff_t>(of_a));
    return p;
  };
  const auto whole = product(run_number(last));
  std::vector<float> expected(count + 64 * slots,
                              std::numeric_limits<float>::quiet_NaN());  // where no run wrote
  for (int r = 0; r < last; ++r) {
    Problem head = run_number(r);
    head.m = 1;  // its first 64 numbers
    std::copy_n(product(head).begin(), 64, expected.begin() + 64 * r);
  }
  std::copy(whole.begin(), whole.end(), expected.begin() + 64 * last);
  result.expect("c", expected, rounding(p.k));
  expect_few_passes(result, p);
  result.expect_bound("naive");
}
