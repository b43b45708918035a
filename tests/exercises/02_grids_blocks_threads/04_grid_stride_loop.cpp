// 2.4: a grid-stride loop is right whatever grid it is given, counts in 64 bits, and keeps neighbouring
// threads on neighbouring elements.
#include <workbook/check.h>

#include <cmath>

using namespace workbook;

EXERCISE("2.4", "y = a*x + y for the elements first to n - 1, by any grid.")

namespace {

constexpr float a = -1.5f;

// `times` runs, one after the other, each on the y that the last one left.
std::vector<float> saxpy_on_host(const std::vector<float>& x, std::vector<float> y, std::size_t first,
                                 std::int64_t times = 1) {
  for (std::int64_t t = 0; t < times; ++t)
    for (std::size_t i = first; i < y.size(); ++i) y[i] = std::fma(a, x[i], y[i]);
  return y;
}

struct Grid {
  int blocks, threads;
};

std::string words(Grid grid) {
  return fmt::format("{} block{} of {}", grid.blocks, grid.blocks == 1 ? "" : "s", grid.threads);
}

void expect_that_grid(const Result& result, Grid grid) {
  const auto kernels = result.trace().kernels();
  result.expect_that(!kernels.empty(), {"no_launch",
                                        "no kernel was launched.",
                                        {fmt::format("The grid was to be {}.", words(grid))},
                                        "Which line of `saxpy_range` starts threads on the device?"});
  const auto& step = kernels.front();
  const bool same = kernels.size() == 1 && step.grid[0] == unsigned(grid.blocks) && step.grid[1] == 1 &&
                    step.grid[2] == 1 && step.block[0] == unsigned(grid.threads) && step.block[1] == 1 &&
                    step.block[2] == 1;
  result.expect_that(
      same, {"other_grid",
             fmt::format("the grid was to be {}, and another one was launched.", words(grid)),
             {fmt::format("{} launch{}; the first has {} x {} x {} blocks of {} x {} x {} threads.",
                          kernels.size(), kernels.size() == 1 ? "" : "es", step.grid[0], step.grid[1],
                          step.grid[2], step.block[0], step.block[1], step.block[2])},
             "How can a grid that is too small still reach every element?"});
}

IndexWords counted_from(std::int64_t first) {
  return [first](std::size_t i) { return fmt::format("element {}", first + static_cast<std::int64_t>(i)); };
}

}  // namespace

CHECK_CASE(any_grid) {
  const Grid grids[] = {{1, 1}, {1, 1024}, {3, 33}, {132, 128}, {4000, 32}};
  struct Range {
    int first, n;
  };
  const Range ranges[] = {{0, 1}, {0, 1000}, {0, 5003}, {97, 3000}, {500, 500}};
  for (const Grid grid : grids) {
    for (const auto [first, n] : ranges) {
      Inputs in(static_cast<std::uint64_t>(n));
      const auto x = in.floats("x", n), y = in.floats("y", n);
      Run run("saxpy_range");
      run.say("{}, {}", words(grid),
              first < n ? fmt::format("elements {} to {}", first, n - 1)
                        : fmt::format("no element (first and n are {})", n));
      run.value("blocks", grid.blocks).value("threads", grid.threads);
      run.value("first", std::int64_t{first})
          .value("n", std::int64_t{n})
          .value("a", a)
          .in("x", x)
          .inout("y", y);
      const Result result = run.go();
      result.expect_clean("Which element does a thread take in its second round, and who else takes it?");
      // Nothing to do: a launch with nothing to do is as good as none.
      if (first < n || !result.trace().kernels().empty()) expect_that_grid(result, grid);
      result.expect("y", saxpy_on_host(x, y, std::size_t(first)), within(1e-5, 1e-5));
    }
  }
  passed("right for {} grids and {} ranges", std::size(grids), std::size(ranges));
}

CHECK_CASE(beyond_32_bits) {
  constexpr int count = 3000;
  const Grid grid{3, 33};
  for (const std::int64_t first :
       {(std::int64_t{1} << 31) + 1000, (std::int64_t{1} << 33) + 12'345, (std::int64_t{1} << 31) - 1500}) {
    Inputs in(static_cast<std::uint64_t>(first));
    const auto x = in.floats("x", count), y = in.floats("y", count);
    Run run("far_out");
    run.say("elements {} to {}", first, first + count - 1);
    run.value("blocks", grid.blocks).value("threads", grid.threads);
    run.value("first", first).value("n", first + count).value("a", a).in("x", x).inout("y", y);
    run.time_limit(20);
    const Result result = run.go();
    result.expect_clean(
        fmt::format("The largest int is 2147483647. Which of your variables has to hold {}?", first));
    expect_that_grid(result, grid);
    result.expect("y", saxpy_on_host(x, y, 0), within(1e-5, 1e-5), counted_from(first));
  }
  passed("right beyond 2^31 and 2^33 elements");
}

CHECK_CASE(fast_enough) {
  const int n = on_simulated_device() ? 1 << 22 : 1 << 25;
  Inputs in(n);
  const auto x = in.floats("x", n), y = in.floats("y", n);
  Run run("saxpy_timed");
  run.say("8 blocks of 256 on each SM, n = {}", n);
  run.value("n", n).value("a", a).in("x", x).inout("y", y);
  const Result result = run.go();
  result.expect_clean();
  result.expect("y", saxpy_on_host(x, y, 0, result.integer("runs")), within(1e-4, 1e-3));
  result.expect_bound("one_each");
}
