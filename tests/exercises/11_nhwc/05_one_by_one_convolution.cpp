// 11.5: a 1x1 convolution in NHWC on tensor cores, sums in float. Tails in all three directions, errors of at
// most 2e-3, and the time against the tiled product of floats.
#include <workbook/check.h>
#include <workbook/half.h>

#include <cmath>

#include "images.h"

using namespace nhwc;

EXERCISE("11.5", "A 1x1 convolution in NHWC on tensor cores, with sums in float, for any number of channels.")

namespace {

constexpr double allowed = 2e-3;

struct Problem {
  int pixels, c, k;
  std::vector<HalfBits> x, w;
  std::vector<double> y, transposed;  // expected; and with the weights read the other way round
};

std::vector<HalfBits> halves(Inputs& in, const char* name, std::size_t n) {
  std::vector<HalfBits> out;
  out.reserve(n);
  for (const float x : in.floats(name, n, -1.0f, 1.0f)) out.push_back(half_from(x));
  return out;
}

std::vector<double> products(const std::vector<float>& x, const std::vector<float>& w, std::size_t pixels,
                             std::size_t c, std::size_t k, bool transposed) {
  std::vector<double> y(pixels * k);
  for (std::size_t p = 0; p < pixels; ++p) {
    for (std::size_t f = 0; f < k; ++f) {
      double sum = 0;
      for (std::size_t j = 0; j < c; ++j)
        sum +=
            static_cast<double>(x[p * c + j]) * static_cast<double>(transposed ? w[j * k + f] : w[f * c + j]);
      y[p * k + f] = sum;
    }
  }
  return y;
}

Problem problem(int pixels, int c, int k, bool expected) {
  Inputs in(static_cast<std::uint64_t>(pixels) * 1'000'003 + static_cast<std::uint64_t>(c) * 1009 +
            static_cast<std::uint64_t>(k));
  const auto size = [](int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); };
  Problem p{pixels, c, k, halves(in, "x", size(pixels, c)), halves(in, "w", size(k, c)), {}, {}};
  if (!expected) return p;
  std::vector<float> x, w;
  for (const HalfBits h : p.x) x.push_back(half_to_float(h));
  for (const HalfBits h : p.w) w.push_back(half_to_float(h));
  for (const bool transposed : {false, true})
    (transposed ? p.transposed : p.y) =
        products(x, w, static_cast<std::size_t>(pixels), static_cast<std::size_t>(c),
                 static_cast<std::size_t>(k), transposed);
  return p;
}

Result convolve(const Problem& p, const char* driver) {
  Run run(driver);
  run.say("{} pixels, {} channels, {} filters", p.pixels, p.c, p.k)
      .value("pixels", p.pixels)
      .value("c", p.c)
      .value("k", p.k);
  return run.in("x", p.x)
      .in("w", p.w)
      .out<float>("y", static_cast<std::size_t>(p.pixels) * static_cast<std::size_t>(p.k))
      .go();
}

// All that can be said about the results as a whole.
struct Misses {
  std::size_t count = 0, first = 0;
  double worst = 0;
  bool transposed = true, small = true;
};
Misses misses_of(const std::vector<float>& y, const Problem& p) {
  Misses m;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double off = std::fabs(y[i] - p.y[i]);
    m.transposed = m.transposed && std::fabs(y[i] - p.transposed[i]) <= allowed;
    if (off <= allowed) continue;
    if (m.count++ == 0) m.first = i;
    m.small = m.small && off <= 0.1 * (1 + std::fabs(p.y[i]));
    m.worst = std::max(m.worst, off);
  }
  return m;
}

void expect_right(const Result& result, const Problem& p) {
  expect_success(result, "convolve_1x1");
  const auto y = result.array<float>("y");
  const Misses m = misses_of(y, p);
  if (m.count == 0) return;
  const std::size_t k = static_cast<std::size_t>(p.k);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &y[m.first], sizeof bits);
  const std::string got = bits == 0xffffffffu ? "poison (never written)" : fmt::format("{:.6g}", y[m.first]);
  const std::string headline = fmt::format("filter {} at pixel {} is {}, expected {:.6g}.", m.first % k,
                                           m.first / k, got, p.y[m.first]);
  std::vector<std::string> evidence = {
      fmt::format("{} of {} results are off by more than {}.", m.count, y.size(), allowed)};
  if (m.transposed && p.c > 1 && p.k > 1) {
    evidence.emplace_back("All of them are what comes out when the weights are read as c rows of k.");
    result.fail({"transposed", headline, evidence,
                 "Where does the next channel's weight of one filter lie, and which layout is that for the "
                 "fragment?"});
  }
  if (m.small) {
    evidence.push_back(fmt::format(
        "The worst is off by {:.2g}. A sum of {} products in float is off by some 1e-5.", m.worst, p.c));
    result.fail({"half_sums", headline, evidence, "In which type are the sums kept while they grow?"});
  }
  if (m.count > y.size() / 2)
    result.fail({"values", headline, evidence,
                 "In which order does memory hold the weights, and which layout is that for the fragment?"});
  result.fail({"values", headline, evidence,
               "Which pixels, channels and filters are in the last tile, and what stands beside them?"});
}

// Of a large result, some thousand places: more would take the host longer than the device.
void expect_some_right(const Result& result, const Problem& p) {
  const auto y = result.array<float>("y");
  const std::size_t c = static_cast<std::size_t>(p.c), k = static_cast<std::size_t>(p.k);
  for (std::size_t at = 0; at < y.size(); at += 1 + y.size() / 4099) {
    double sum = 0;
    for (std::size_t j = 0; j < c; ++j)
      sum += static_cast<double>(half_to_float(p.x[at / k * c + j])) *
             static_cast<double>(half_to_float(p.w[at % k * c + j]));
    result.expect_that(
        std::fabs(y[at] - sum) <= allowed,
        {"values",
         fmt::format("filter {} at pixel {} is {:.6g}, expected {:.6g}.", at % k, at / k, y[at], sum),
         {},
         "What is different for so many pixels?"});
  }
}

}  // namespace

CHECK_CASE(right_for_any_size) {
  const int sizes[][3] = {{64, 32, 64}, {49, 16, 16}, {1, 1, 1},     {100, 48, 80}, {65, 33, 17},
                          {16, 8, 100}, {15, 100, 3}, {130, 20, 65}, {63, 256, 63}, {128, 7, 129},
                          {0, 16, 16},  {16, 16, 0},  {2, 0, 3}};
  for (const auto& s : sizes) {
    const Problem p = problem(s[0], s[1], s[2], true);
    expect_right(convolve(p, "convolve"), p);
  }
  passed("right for {} sizes", std::size(sizes));
}

CHECK_CASE(long_sums) {
  const Problem p = problem(70, 1000, 40, true);
  expect_right(convolve(p, "convolve"), p);
  passed("sums of 1000 products within {}", allowed);
}

CHECK_CASE(on_tensor_cores) {
  const bool here = on_simulated_device();
  const Problem p = problem(here ? 4096 : 50'176, here ? 96 : 256, here ? 128 : 256, false);
  const Result result = convolve(p, "convolve_timed");
  expect_success(result, "convolve_1x1");
  expect_some_right(result, p);
  result.expect_bound("tiled");
  passed("faster than the tiled product");
}
