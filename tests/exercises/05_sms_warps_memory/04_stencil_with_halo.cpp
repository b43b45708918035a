// 5.4: two stencils, right up to every edge, that load little more than every number once.
#include <workbook/check.h>

#include <algorithm>
#include <cmath>

using namespace workbook;

EXERCISE("5.4",
         "Average every number with its neighbours: in a line, then in a plane, from tiles with a halo.")

namespace {

constexpr int radius = 3, tile = 256;

struct Problem {
  int width, height, blocks;
  std::vector<float> x, y;
  bool line() const { return blocks > 0; }
};

Problem line_problem(int n, int blocks) {
  Inputs in(static_cast<std::uint64_t>(n) * 4099 + static_cast<std::uint64_t>(blocks));
  Problem p{n, 1, blocks, in.floats("x", static_cast<std::size_t>(n), 1.0f, 9.0f), {}};
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = -radius; k <= radius; ++k) sum += p.x[static_cast<std::size_t>(std::clamp(i + k, 0, n - 1))];
    p.y.push_back(static_cast<float>(sum / (2 * radius + 1)));
  }
  return p;
}

Problem plane_problem(int width, int height) {
  Inputs in(static_cast<std::uint64_t>(width) << 20 | static_cast<std::uint64_t>(height));
  Problem p{width, height, 0, in.floats("x", std::size_t(width) * height, 1.0f, 9.0f), {}};
  const auto x = [&](int row, int column) -> double {
    return p.x[std::size_t(std::clamp(row, 0, height - 1)) * width +
               std::size_t(std::clamp(column, 0, width - 1))];
  };
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c)
      p.y.push_back(
          static_cast<float>((4 * x(r, c) + x(r, c - 1) + x(r, c + 1) + x(r - 1, c) + x(r + 1, c)) / 8));
  return p;
}

Result call(const Problem& p) {
  Run run(p.line() ? "line" : "plane");
  if (p.line()) {
    run.say("a line of {}, {} block{}", p.width, p.blocks, p.blocks == 1 ? "" : "s");
    run.value("blocks", p.blocks);
  } else {
    run.say("a plane of {} columns, {} rows", p.width, p.height);
    run.value("width", p.width).value("height", p.height);
  }
  run.in("x", p.x).out<float>("y", p.x.size());
  return run.go();
}

// Where the wrong ones lie: only beside the ends of the array, only beside the borders between tiles, or
// anywhere.
struct Where {
  std::size_t wrong = 0, at_ends = 0, at_borders = 0, first = 0;
};

Where where_wrong(const Problem& p, const std::vector<float>& got, int tile_width, int tile_height) {
  Where w;
  const int reach = p.line() ? radius : 1;
  const auto near_end = [&](int i, int count) { return i < reach || i >= count - reach; };
  const auto near_border = [&](int i, int size) { return i % size < reach || i % size >= size - reach; };
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::abs(got[i] - p.y[i]) <= 1e-5f * p.y[i]) continue;
    if (w.wrong++ == 0) w.first = i;
    const int column = static_cast<int>(i % std::size_t(p.width)),
              row = static_cast<int>(i / std::size_t(p.width));
    const bool end = near_end(column, p.width) || (!p.line() && near_end(row, p.height));
    const bool border = near_border(column, tile_width) || (!p.line() && near_border(row, tile_height));
    if (end)
      ++w.at_ends;
    else if (border)
      ++w.at_borders;
  }
  return w;
}

std::string place_words(const Problem& p, std::size_t i) {
  return p.line() ? fmt::format("y[{}]", i)
                  : fmt::format("row {}, column {}", i / std::size_t(p.width), i % std::size_t(p.width));
}

void expect_edges(const Result& result, const Problem& p) {
  const auto kernels = result.trace().kernels();
  if (kernels.empty()) return;
  const auto& block = kernels.back().block;
  const Where w =
      where_wrong(p, result.array<float>("y"), static_cast<int>(block[0]), static_cast<int>(block[1]));
  if (w.wrong == 0 || w.wrong == p.y.size()) return;
  const std::string headline =
      fmt::format("{} of {} {}: the first wrong is {}.", w.wrong, p.y.size(),
                  w.wrong == 1 ? "number is wrong" : "numbers are wrong", place_words(p, w.first));
  if (w.at_ends == w.wrong)
    result.fail({"ends",
                 headline,
                 {fmt::format("All of them lie at the {} of the array.", p.line() ? "ends" : "edges")},
                 "Which number counts beyond the end, and which thread puts it into the tile?"});
  if (w.at_borders + w.at_ends == w.wrong)
    result.fail({"halo",
                 headline,
                 {fmt::format("All of them lie beside a border between tiles of {}{}.", block[0],
                              p.line() ? "" : fmt::format(" x {}", block[1]))},
                 "Which places of the halo does this number need, and who loads them?"});
}

void expect_right(const Result& result, const Problem& p) {
  result.expect_clean(p.x.empty() ? ""
                                  : "Which places does the tile with its halo cover, which of them exist, "
                                    "and when are they all there?");
  if (p.x.empty()) return;
  expect_edges(result, p);
  result.expect("y", p.y, within(1e-5), p.line() ? IndexWords{} : at(p.width));
  if (!p.line()) return;
  const auto kernels = result.trace().kernels();
  const bool asked = kernels.size() == 1 && kernels[0].grid[0] == static_cast<unsigned>(p.blocks) &&
                     kernels[0].grid[1] * kernels[0].grid[2] == 1;
  result.expect_that(asked, {"grid",
                             fmt::format("{} blocks were asked for, and not launched.", p.blocks),
                             {kernels.empty() ? std::string("There was no launch.")
                                              : fmt::format("The launch had {} blocks.", kernels[0].grid[0])},
                             "Who does the tiles for which there is no block?"});
}

void expect_few_sectors(const Result& result, const Problem& p, double most, double everywhere) {
  if (!result.trace().counters_known()) return;
  std::uint64_t loaded = 0;
  for (std::size_t k = 0; k < result.trace().kernels().size(); ++k)
    loaded += result.trace().counter(k, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum").value_or(0);
  const double once = static_cast<double>(p.x.size()) * sizeof(float) / 32,
               ratio = static_cast<double>(loaded) / once;
  result.expect_that(ratio <= most,
                     {"sectors",
                      fmt::format("y is right, and {} sectors were loaded; at most {:.0f} are allowed.",
                                  loaded, most * once),
                      {fmt::format("To load every number once takes {:.0f}: this is {:.1f} times that. A "
                                   "kernel in which every thread "
                                   "loads its whole neighbourhood from global memory comes to {:.1f} times.",
                                   once, ratio, everywhere)},
                      "How often is a number loaded from global memory, and by whom?"});
  passed("{:.2f} x the sectors of one pass {}", ratio, p.line() ? "in the line" : "in the plane");
}

}  // namespace

CHECK_CASE(line_right) {
  struct Shape {
    int n, blocks;
  };
  const Shape shapes[] = {{1000, 4}, {1000, 1}, {0, 1},     {1, 1},     {2, 3},   {3, 1},
                          {4, 1},    {7, 2},    {255, 1},   {256, 1},   {257, 1}, {259, 2},
                          {1000, 1}, {4999, 3}, {5120, 20}, {20'011, 7}};
  for (const Shape& s : shapes) {
    const Problem p = line_problem(s.n, s.blocks);
    expect_right(call(p), p);
  }
  passed("right for {} lines", std::size(shapes));
}

CHECK_CASE(line_loads_once) {
  const Problem p = line_problem(1 << 16, 32);
  const Result result = call(p);
  expect_right(result, p);
  expect_few_sectors(result, p, 2.5, 8.5);
}

CHECK_CASE(plane_right) {
  auto shapes = awkward_sizes_2d(32, 8);
  shapes.insert(shapes.begin(), {{70, 37}, {2, 2}});
  for (const Size2D s : shapes) {
    const Problem p = plane_problem(s.width, s.height);
    expect_right(call(p), p);
  }
  passed("right for {} planes", shapes.size());
}

CHECK_CASE(plane_loads_once) {
  const Problem p = plane_problem(512, 256);
  const Result result = call(p);
  expect_right(result, p);
  expect_few_sectors(result, p, 3.5, 5.5);
}
