// 11.2: from NCHW to NHWC, for few channels and for many. Each number says where it comes from; the time is
// measured against a copy of as many bytes.
#include <workbook/check.h>

#include "images.h"

using namespace nhwc;

EXERCISE("11.2", "From NCHW to NHWC, for any number of channels, at half the speed of a copy or better.")

namespace {

// Every number is its own place in NCHW, plus one.
std::vector<float> numbers(const Shape& s) {
  std::vector<float> in(s.numbers());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i + 1);
  return in;
}

Result convert(const Shape& s, const std::vector<float>& in, const char* bound = nullptr) {
  Run run(bound != nullptr ? "nchw_to_nhwc_timed" : "nchw_to_nhwc");
  run.say("{}", s.words()).value("n", s.n).value("c", s.c).value("h", s.h).value("w", s.w);
  if (bound != nullptr) run.text("bound", bound);
  return run.in("in", in).out<float>("out", in.size()).go();
}

// A number in the wrong place says which one it is.
void expect_in_place(const Result& result, const Shape& s) {
  const auto out = result.array<float>("out");
  std::size_t wrong = 0, first = 0;
  std::vector<float> expected(out.size());
  bool all_known = true;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Place at = place_in_nhwc(s, i);
    expected[i] = static_cast<float>(index_in_nchw(s, at) + 1);
    if (out[i] == expected[i]) continue;
    if (wrong++ == 0) first = i;
    all_known = all_known && out[i] >= 1 && out[i] <= static_cast<float>(out.size());
  }
  if (wrong > 0 && all_known) {
    const Place is = place_in_nchw(s, static_cast<std::size_t>(out[first]) - 1);
    result.fail(
        {"misplaced",
         fmt::format("at {} lies the number of {}.", place_in_nhwc(s, first).words(), is.words()),
         {fmt::format("{} of {} numbers lie in the wrong place.", wrong, out.size())},
         "Which of the four does the thread that writes there have wrong, and in which of its two offsets?"});
  }
  result.expect("out", expected, exact(), in_nhwc(s));
}

// The shape for the time, on the simulated device within 2^22 numbers, on a GPU far beyond its L2.
Shape large(int c) {
  const int side = c == 3 ? 224 : 112, numbers = on_simulated_device() ? 1 << 22 : 1 << 26;
  return {std::max(1, numbers / (c * side * side)), c, side, side};
}

void expect_fast(int c, const char* bound) {
  const Shape s = large(c);
  const Result result = convert(s, numbers(s), bound);
  expect_success(result, "nchw_to_nhwc");
  expect_in_place(result, s);
  result.expect_bound(bound);
}

}  // namespace

CHECK_CASE(right_for_any_shape) {
  const Shape shapes[] = {{2, 3, 5, 7},    {1, 1, 1, 1},   {3, 1, 9, 7},  {2, 8, 7, 7},    {1, 17, 11, 13},
                          {2, 64, 5, 7},   {1, 256, 3, 5}, {5, 31, 8, 4}, {2, 32, 8, 8},   {3, 33, 1, 31},
                          {1, 2, 37, 31},  {2, 100, 1, 1}, {70, 3, 2, 3}, {1, 3, 1, 5000}, {2, 1023, 1, 3},
                          {1, 65, 64, 33}, {0, 3, 5, 7},   {2, 0, 5, 7},  {2, 3, 5, 0}};
  for (const Shape& s : shapes) {
    const Result result = convert(s, numbers(s));
    expect_success(result, "nchw_to_nhwc");
    expect_in_place(result, s);
  }
  passed("right for {} shapes", std::size(shapes));
}

CHECK_CASE(fast_for_3_channels) {
  expect_fast(3, "few");
  passed("3 channels");
}

CHECK_CASE(fast_for_64_channels) {
  expect_fast(64, "many");
  passed("64 channels");
}

CHECK_CASE(fast_for_256_channels) {
  expect_fast(256, "most");
  passed("256 channels");
}
