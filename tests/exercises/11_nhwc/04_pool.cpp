// 11.4: max-pooling of halves in NHWC, eight channels for each load. NaN, odd sizes, any number of channels;
// the loads are counted, and the time is measured against a kernel for NCHW.
#include <workbook/check.h>
#include <workbook/half.h>

#include <algorithm>
#include <cmath>

#include "images.h"

using namespace nhwc;

EXERCISE("11.4", "2 x 2 max-pooling of halves in NHWC, eight channels for each load.")

namespace {

struct Problem {
  Shape s;
  std::vector<HalfBits> x, y;
};

Shape pooled(const Shape& s) {
  return {s.n, s.c, s.h / 2, s.w / 2};
}

bool is_nan(HalfBits h) {
  return (h & 0x7fff) > 0x7c00;
}

// The four of a window.
std::vector<HalfBits> window(const Problem& p, const Place& at) {
  std::vector<HalfBits> out;
  for (int k = 0; k < 4; ++k)
    out.push_back(p.x[index_in_nhwc(p.s, {at.n, at.c, 2 * at.h + k / 2, 2 * at.w + k % 2})]);
  return out;
}

// With `nans`, one number in 16 is NaN. The numbers on the edge that no window has are the largest of all:
// whoever takes one shows it.
Problem problem(const Shape& s, bool nans) {
  Inputs in(s.numbers() + (nans ? 1u : 0u));
  Problem p{s, {}, {}};
  const auto values = in.floats("x", s.numbers(), -900.0f, 900.0f);
  const auto dice = in.bytes("nan", s.numbers());
  for (std::size_t i = 0; i < s.numbers(); ++i) {
    const Place at = place_in_nhwc(s, i);
    const bool edge = at.h >= s.h / 2 * 2 || at.w >= s.w / 2 * 2;
    p.x.push_back(nans && !edge && dice[i] % 16 == 0 ? HalfBits{0x7e00}
                                                     : half_from(edge ? 30000.0 : values[i]));
  }
  const Shape out = pooled(s);
  for (std::size_t i = 0; i < out.numbers(); ++i) {
    HalfBits best = 0xfc00;
    for (const HalfBits h : window(p, place_in_nhwc(out, i))) {
      if (is_nan(best)) break;
      if (is_nan(h) || half_to_float(h) > half_to_float(best)) best = h;
    }
    p.y.push_back(best);
  }
  return p;
}

Result pool(const Problem& p, const char* driver) {
  Run run(driver);
  run.say("{}", p.s.words()).value("n", p.s.n).value("h", p.s.h).value("w", p.s.w).value("c", p.s.c);
  return run.in("x", p.x).out<HalfBits>("y", p.y.size()).go();
}

std::string words(HalfBits h) {
  return h == 0xffff ? "poison (never written)" : is_nan(h) ? "NaN" : fmt::format("{:.6g}", half_to_float(h));
}

void expect_right(const Result& result, const Problem& p) {
  expect_success(result, "max_pool");
  const auto y = result.array<HalfBits>("y");
  const Shape out = pooled(p.s);
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool same = y[i] == p.y[i] || (y[i] != 0xffff && is_nan(y[i]) && is_nan(p.y[i])) ||
                      (half_to_float(y[i]) == 0.0f && half_to_float(p.y[i]) == 0.0f);
    if (!same && wrong++ == 0) first = i;
  }
  if (wrong == 0) return;
  const Place at = place_in_nhwc(out, first);
  const auto four = window(p, at);
  std::vector<std::string> evidence = {fmt::format("Its window holds {}, {}, {} and {}.", words(four[0]),
                                                   words(four[1]), words(four[2]), words(four[3])),
                                       fmt::format("{} of {} results are wrong.", wrong, y.size())};
  const std::string headline =
      fmt::format("{} is {}, expected {}.", at.words(), words(y[first]), words(p.y[first]));
  if (is_nan(p.y[first]) && y[first] != 0xffff && !is_nan(y[first]))
    result.fail({"nan_lost", headline, evidence,
                 "What does a comparison with NaN say, and which of the two do you keep then?"});
  if (half_to_float(y[first]) == 30000.0f)
    result.fail(
        {"edge",
         headline,
         {evidence[0], "30000 stands only where no window reaches: in an odd last row or column."},
         "How many windows are there in a row of odd length, and which row of d_x comes after two of d_y?"});
  result.fail({"values", headline, evidence, "Which four numbers does the thread of this result read?"});
}

}  // namespace

CHECK_CASE(right_for_any_shape) {
  const Shape shapes[] = {{2, 3, 6, 10}, {1, 8, 2, 2},  {2, 8, 7, 9},   {1, 24, 8, 6},
                          {2, 17, 6, 8}, {3, 17, 5, 7}, {1, 1, 3, 3},   {2, 64, 4, 5},
                          {1, 12, 9, 4}, {5, 40, 3, 2}, {1, 8, 1, 8},   {2, 16, 33, 1},
                          {0, 8, 4, 4},  {2, 0, 4, 4},  {3, 136, 6, 3}, {1, 4, 31, 32}};
  for (const Shape& s : shapes) {
    const Problem p = problem(s, false);
    expect_right(pool(p, "max_pool"), p);
  }
  passed("right for {} shapes", std::size(shapes));
}

CHECK_CASE(nan_stays) {
  for (const Shape& s : {Shape{2, 8, 6, 10}, Shape{1, 5, 7, 8}, Shape{1, 64, 5, 5}}) {
    const Problem p = problem(s, true);
    expect_right(pool(p, "max_pool"), p);
  }
  passed("NaN stays NaN");
}

CHECK_CASE(eight_channels_a_load) {
  const Problem p = problem({2, 64, 32, 32}, false);
  const Result result = pool(p, "max_pool");
  expect_right(result, p);
  // A warp that loads 16 bytes for each lane moves 512 bytes with one request.
  const std::size_t needed = p.x.size() * sizeof(HalfBits) / 512;
  if (const auto requests = counted(result, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")) {
    expect_that(
        *requests <= needed + needed / 8,
        {"small_loads",
         fmt::format("Right, but it takes {} loads of a warp; with eight channels each it would be {}.",
                     *requests, needed),
         {fmt::format("{} bytes for each load of a warp", p.x.size() * sizeof(HalfBits) / *requests)},
         "How many bytes does one thread ask for at a time, and how are they declared?"});
  }
  passed("16 bytes for each load");
}

CHECK_CASE(faster_than_planes) {
  const Problem p = problem(on_simulated_device() ? Shape{5, 128, 112, 112} : Shape{64, 64, 112, 112}, false);
  const Result result = pool(p, "max_pool_timed");
  expect_right(result, p);
  result.expect_bound("nchw");
  passed("faster than NCHW");
}
