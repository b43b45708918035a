// 11.3: from bytes to normalised halves, eight channels a pixel, in one pass. Half an ulp, five zeros a
// pixel, no more stores than the result has sectors, and two fifths of the time of the four kernels.
#include <workbook/check.h>
#include <workbook/half.h>

#include <cmath>

#include "images.h"

using namespace nhwc;

EXERCISE("11.3", "Bytes to normalised halves in NHWC, padded to 8 channels, in one pass over memory.")

namespace {

constexpr int padded = 8;

struct Problem {
  int n, h, w;
  std::vector<std::uint8_t> in;
  std::vector<float> scale, bias;
};

// For each channel another mean and deviation, as for photographs.
Problem problem(int n, int h, int w) {
  Inputs in(static_cast<std::uint64_t>(n) * 65'537 + static_cast<std::uint64_t>(h) * 257 +
            static_cast<std::uint64_t>(w));
  Problem p{n,  h, w, in.bytes("in", static_cast<std::size_t>(3 * n) * static_cast<std::size_t>(h * w)),
            {}, {}};
  for (const char* channel : {"red", "green", "blue"}) {
    const double mean = static_cast<double>(in.one_of(channel, 350, 550)) / 1000;
    const double deviation =
        static_cast<double>(in.one_of(fmt::format("{} deviation", channel), 180, 320)) / 1000;
    p.scale.push_back(static_cast<float>(1 / (255 * deviation)));
    p.bias.push_back(static_cast<float>(-mean / deviation));
  }
  return p;
}

Result preprocess(const Problem& p, const char* driver) {
  Run run(driver);
  run.say("n {}, h {}, w {}", p.n, p.h, p.w).value("n", p.n).value("h", p.h).value("w", p.w);
  run.in("scale", p.scale).in("bias", p.bias);
  return run.in("in", p.in).out<HalfBits>("out", p.in.size() / 3 * padded).go();
}

std::string words(HalfBits h) {
  return h == 0xffff ? "poison (never written)" : fmt::format("{:.6g}", half_to_float(h));
}

double exact(const Problem& p, std::size_t pixel, std::size_t c, std::size_t from) {
  return static_cast<double>(p.in[3 * pixel + from]) * static_cast<double>(p.scale[c]) +
         static_cast<double>(p.bias[c]);
}

// Half an ulp, and what one float operation rounds.
bool is_near(HalfBits got, double value) {
  return std::fabs(half_to_float(got) - value) <= 0.5 * half_ulp(value) + 4e-7 * (1 + std::fabs(value));
}

[[noreturn]] void fail_at(const Result& result, const Problem& p, std::size_t pixel, std::size_t c,
                          HalfBits got) {
  const std::string where = fmt::format("channel {} of pixel {}", c, pixel);
  std::vector<std::string> evidence = {fmt::format("The pixel has the bytes {}, {}, {}.", p.in[3 * pixel],
                                                   p.in[3 * pixel + 1], p.in[3 * pixel + 2])};
  if (c >= 3) {
    result.fail({"pad", fmt::format("{} is {}{}, expected +0.", where, got == 0x8000 ? "-" : "", words(got)),
                 evidence, "Who writes the channels that no picture has?"});
  }
  const double value = exact(p, pixel, c, c);
  evidence.push_back(fmt::format("scale {:.6g}, bias {:.6g}", p.scale[c], p.bias[c]));
  const std::string headline =
      fmt::format("{} is {}, expected {:.6g}.", where, words(got), half_to_float(half_from(value)));
  for (std::size_t other = 0; other < 3; ++other) {
    if (other != c && got != 0xffff && is_near(got, exact(p, pixel, c, other)) &&
        p.in[3 * pixel + other] != p.in[3 * pixel + c])
      result.fail({"other_channel",
                   headline,
                   {evidence[0], fmt::format("It comes from byte {} of the pixel.", other)},
                   "In which order do the bytes of a pixel come in, and in which do the channels go out?"});
  }
  const double ulps = std::fabs(half_to_float(got) - value) / half_ulp(value);
  if (got != 0xffff && ulps < 8) {
    evidence.push_back(
        fmt::format("It is off by {:.2f} steps of a half; half a step is what one rounding costs.", ulps));
    result.fail({"rounding", headline, evidence,
                 "In which type is each operation, and how often is something rounded?"});
  }
  result.fail(
      {"values", headline, evidence, "Work out this number by hand. In which order do scale and bias come?"});
}

void expect_right(const Result& result, const Problem& p) {
  expect_success(result, "preprocess");
  const auto out = result.array<HalfBits>("out");
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t pixel = i / padded, c = i % padded;
    const bool good = c < 3 ? out[i] != 0xffff && is_near(out[i], exact(p, pixel, c, c)) : out[i] == 0;
    if (!good) fail_at(result, p, pixel, c, out[i]);
  }
}

}  // namespace

CHECK_CASE(right_for_any_size) {
  const int sizes[][3] = {{2, 5, 7},   {1, 1, 1},   {1, 1, 31},  {1, 32, 1}, {3, 11, 33},
                          {1, 16, 16}, {1, 1, 257}, {5, 13, 79}, {0, 5, 7},  {2, 0, 7}};
  for (const auto& s : sizes) {
    const Problem p = problem(s[0], s[1], s[2]);
    expect_right(preprocess(p, "preprocess"), p);
  }
  passed("right for {} sizes", std::size(sizes));
}

CHECK_CASE(stores_each_sector_once) {
  const Problem p = problem(4, 64, 64);
  const Result result = preprocess(p, "preprocess");
  expect_right(result, p);
  const std::size_t needed = p.in.size() / 3 * padded * sizeof(HalfBits) / 32;
  if (const auto stored = counted(result, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")) {
    expect_that(*stored <= needed,
                {"stores_more",
                 fmt::format("The result has {} sectors of 32 bytes, and {} are stored.", needed, *stored),
                 {fmt::format("{} kernel{}", result.trace().kernels().size(),
                              result.trace().kernels().size() == 1 ? "" : "s")},
                 "What is stored besides the result, or how many stores does it take to fill a sector?"});
  }
  passed("each sector of the result is stored once");
}

CHECK_CASE(two_fifths_of_the_time) {
  const Problem p = on_simulated_device() ? problem(8, 224, 224) : problem(256, 224, 224);
  const Result result = preprocess(p, "preprocess_timed");
  expect_right(result, p);
  result.expect_bound("whole");
  passed("one pass");
}
