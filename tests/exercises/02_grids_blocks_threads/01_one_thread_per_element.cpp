// 2.1: saxpy with one thread per element is right for every size, counts without overflow, and keeps the
// memory busy.
#include <workbook/check.h>

#include <climits>
#include <cmath>

using namespace workbook;

EXERCISE("2.1", "y = a*x + y for n elements, any n from 0 up.")

namespace {

constexpr float a = 2.5f;

// `times` runs, one after the other, each on the y that the last one left.
std::vector<float> saxpy_on_host(const std::vector<float>& x, std::vector<float> y, std::int64_t times = 1) {
  for (std::int64_t t = 0; t < times; ++t)
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::fma(a, x[i], y[i]);
  return y;
}

// What was launched, and a question about it: "4 blocks of 256 threads have 1024 threads; n is 1000. ..."
std::string leads_on(const Result& result, int n) {
  const auto kernels = result.trace().kernels();
  if (kernels.empty()) return {};
  const auto& grid = kernels.back().grid;
  const auto& block = kernels.back().block;
  const std::uint64_t blocks = std::uint64_t{grid[0]} * grid[1] * grid[2];
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  const char* question = n == 0 ? "When is there nothing to launch?"
                         : blocks * threads < static_cast<std::uint64_t>(n)
                             ? "Which elements get no thread?"
                             : "Which element does the last thread of the last block work on?";
  return fmt::format("{} block{} of {} {} {} threads; n is {}. {}", blocks, blocks == 1 ? "" : "s", threads,
                     blocks == 1 ? "has" : "have", blocks * threads, n, question);
}

void expect_a_kernel(const Result& result, int n) {
  const auto kernels = result.trace().kernels();
  result.expect_that(!kernels.empty(),
                     {"no_launch",
                      "no kernel was launched.",
                      {fmt::format("n is {}: there are elements, and no thread to work on them.", n)},
                      "Which line of `saxpy` starts threads on the device?"});
  const auto home = result.trace().bytes_copied("device to host");
  result.expect_that(home == 0, {"work_on_the_host",
                                 fmt::format("saxpy copied {} bytes to the host.", home),
                                 {"x and y are on the device, and the result belongs there too."},
                                 "Where should a*x + y be computed?"});
}

}  // namespace

CHECK_CASE(every_size) {
  const auto sizes = awkward_sizes(256);
  for (const int n : sizes) {
    Inputs in(n);
    const auto x = in.floats("x", n), y = in.floats("y", n);
    Run run("saxpy");
    run.say("n = {}", n);
    run.value("n", n).value("a", a).in("x", x).inout("y", y);
    const Result result = run.go();
    result.expect_clean(leads_on(result, n));
    if (n == 0) {
      result.expect_that(
          result.trace().kernels().empty(),
          {"launch_for_nothing", "a kernel was launched, and there is no element.", {}, leads_on(result, n)});
      continue;
    }
    expect_a_kernel(result, n);
    result.expect("y", saxpy_on_host(x, y), within(1e-5, 1e-5));
  }
  passed("right for {} sizes", sizes.size());
}

CHECK_CASE(large_counts) {
  struct Wanted {
    int n, group;
  };
  const Wanted wanted[] = {{0, 256},     {1, 256},        {1000, 256},         {1024, 256},
                           {1025, 256},  {100, 1},        {1'000'000'007, 32}, {INT_MAX, 1024},
                           {INT_MAX, 1}, {INT_MAX - 1, 2}};
  for (const auto [n, group] : wanted) {
    Run run("counts");
    run.say("n = {}, group = {}", n, group).value("n", n).value("group", group);
    const Result result = run.go();
    result.expect_clean();
    const std::int64_t blocks = std::int64_t{n} / group + (n % group != 0);
    const std::int64_t got = result.integer("blocks");
    result.expect_that(got == blocks,
                       {got < 0 ? "ceil_div_overflow" : "ceil_div",
                        fmt::format("ceil_div({}, {}) is {}, expected {}.", n, group, got, blocks),
                        {got < 0 ? fmt::format("A count came out negative. The largest int is {}.", INT_MAX)
                                 : fmt::format("{} group{} of {} hold{} {} things.", got, got == 1 ? "" : "s",
                                               group, got == 1 ? "s" : "", got * group)},
                        got < 0 ? "Does each step of the formula stay below the largest int?"
                                : "Do all n things have a place, and is no group without any?"});
    const std::int64_t bytes = 12 * std::int64_t{n};
    const std::int64_t counted = result.integer("bytes");
    const bool wrapped =
        counted != bytes && static_cast<std::uint32_t>(counted) == static_cast<std::uint32_t>(bytes);
    expect_that(
        counted == bytes,
        {wrapped ? "bytes_32_bit" : "bytes",
         fmt::format("bytes_moved({}) is {}, expected {}.", n, static_cast<std::uint64_t>(counted), bytes),
         {wrapped ? std::string("The last 32 bits are right and the rest is lost: an int holds no more.")
                  : std::string("One element: read x, read y, write y, 4 bytes each.")},
         wrapped ? "In which type is the product computed, before the function returns it?"
                 : "How many floats does one element move?"});
  }
  passed("counts right up to n = {}", INT_MAX);
}

CHECK_CASE(fast_enough) {
  const int n = on_simulated_device() ? 1 << 21 : 1 << 25;
  Inputs in(n);
  const auto x = in.floats("x", n), y = in.floats("y", n);
  Run run("saxpy_timed");
  run.say("n = {}", n);
  run.value("n", n).value("a", a).in("x", x).inout("y", y);
  const Result result = run.go();
  result.expect_clean();
  result.expect("y", saxpy_on_host(x, y, result.integer("runs")), within(1e-4, 1e-3));
  result.expect_bound("roof");
}
