// 5.5: rows become columns, for every shape, in little more than the time of a copy.
#include <workbook/check.h>

#include <algorithm>
#include <limits>

using namespace workbook;

EXERCISE("5.5", "out[column * height + row] = in[row * width + column], nearly as fast as copying.")

namespace {

std::vector<float> transposed(const std::vector<float>& in, Size2D shape) {
  std::vector<float> out(in.size());
  const auto width = static_cast<std::size_t>(shape.width), height = static_cast<std::size_t>(shape.height);
  // Square by square: a column of a large matrix is a cache miss for each number.
  constexpr std::size_t side = 32;
  for (std::size_t top = 0; top < height; top += side)
    for (std::size_t left = 0; left < width; left += side)
      for (std::size_t row = top; row < std::min(top + side, height); ++row)
        for (std::size_t column = left; column < std::min(left + side, width); ++column)
          out[column * height + row] = in[row * width + column];
  return out;
}

Result call(Size2D shape, const std::vector<float>& in) {
  Run run("transposed");
  run.say("{} column{}, {} row{}", shape.width, shape.width == 1 ? "" : "s", shape.height,
          shape.height == 1 ? "" : "s");
  run.value("width", shape.width).value("height", shape.height).in("in", in).out<float>("out", in.size());
  return run.go();
}

// How many 32 x 32 squares of `out` hold what belongs to the square on the other side of the diagonal.
bool squares_in_place(const std::vector<float>& got, const std::vector<float>& in, Size2D shape) {
  if (shape.width != shape.height || shape.width % 32 != 0 || shape.width < 64) return false;
  const auto side = static_cast<std::size_t>(shape.width);
  for (std::size_t row = 0; row < side; ++row)
    for (std::size_t column = 0; column < side; ++column) {
      const std::size_t from_row = row / 32 * 32 + column % 32, from_column = column / 32 * 32 + row % 32;
      if (got[row * side + column] != in[from_row * side + from_column]) return false;
    }
  return true;
}

void expect_right(const Result& result, Size2D shape, const std::vector<float>& in) {
  result.expect_clean("Which rows and columns has `out`, and which of them does this thread write?");
  if (squares_in_place(result.array<float>("out"), in, shape))
    result.fail({"squares_stay",
                 fmt::format("{} x {}: every square of 32 x 32 was turned, and stayed where it was.",
                             shape.width, shape.height),
                 {"The square of block (1, 0) belongs below the first one, not beside it."},
                 "Where in `out` does the square of block (blockIdx.x, blockIdx.y) begin?"});
  result.expect("out", transposed(in, shape), exact(), at(shape.height));
}

}  // namespace

CHECK_CASE(every_shape) {
  std::vector<Size2D> shapes = {{64, 64}, {33, 65}, {65, 33}, {96, 128}, {2048, 515}};
  for (const Size2D shape : awkward_sizes_2d(32, 32)) shapes.push_back(shape);
  if (!on_simulated_device()) shapes.push_back({8192, 4099});
  for (const Size2D shape : shapes) {
    Inputs in(static_cast<std::uint64_t>(shape.width) << 32 | static_cast<std::uint64_t>(shape.height));
    const auto x = in.floats("in", std::size_t(shape.width) * shape.height);
    expect_right(call(shape, x), shape, x);
  }
  passed("right for {} shapes", shapes.size());
}

CHECK_CASE(fast_enough) {
  const Size2D shape = on_simulated_device() ? Size2D{2048, 2048} : Size2D{8192, 8192};
  const std::size_t count = std::size_t(shape.width) * shape.height;
  Inputs in(7);
  const auto x = in.floats("in", count);
  Run run("transposed_timed");
  run.say("{} columns, {} rows", shape.width, shape.height);
  run.value("width", shape.width).value("height", shape.height);
  run.in("in", x).out<float>("out", count);
  const Result result = run.go();
  result.expect_clean();
  result.expect("out", transposed(x, shape), exact(), at(shape.height));
  result.expect_bound("copy");
}
