// 4.1: one kernel template for two types, behind a launching function whose header g++ can read. That the two
// files fit together, compiling and linking have shown before this check runs.
#include <workbook/check.h>
#include <workbook/compiled.h>
#include <workbook/half.h>

#include <cmath>

using namespace workbook;

EXERCISE("4.1",
         "blend for float and __half: called from a file that g++ compiles, launched by one that nvcc does.")

namespace {

constexpr HalfBits poison = 0xffff;

void expect_success(const Result& result) {
  result.expect_clean();
  result.expect_that(result.integer("status") == 0,
                     {"returned_error",
                      fmt::format("blend returned {}.", result.text("status_name")),
                      {fmt::format("the steps: {}", result.trace().letters())},
                      "Which body of blend runs, and for how many elements is there something to launch?"});
}

// What a value must be: exact, and by how much rounding may miss it.
struct Expected {
  double value, slack;
};
Expected blended(double a, double b, float t, double ulp) {
  const double value = (1.0 - static_cast<double>(t)) * a + t * b;
  // Three float operations on terms of this size, then one rounding to the type.
  return {value, 0.5 * ulp + 4e-7 * (std::fabs(a) + std::fabs(b))};
}

std::vector<HalfBits> halves(Inputs& in, const char* name, int n, float size) {
  std::vector<HalfBits> out;
  for (const float x : in.floats(name, static_cast<std::size_t>(n), -size, size)) out.push_back(half_from(x));
  return out;
}

// What is wrong with the halves that came back. Rounding more than once misses by little, or by an overflow.
struct Misses {
  std::size_t count = 0, first = 0, last = 0;
  bool only_rounding = true, overflow = false;
};
Misses misses_of(const std::vector<HalfBits>& out, const std::vector<HalfBits>& a,
                 const std::vector<HalfBits>& b, float t) {
  Misses m;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double x = half_to_float(a[i]), y = half_to_float(b[i]), got = half_to_float(out[i]);
    const double value = (1.0 - static_cast<double>(t)) * x + static_cast<double>(t) * y;
    const Expected want = blended(x, y, t, half_ulp(value));
    if (out[i] != poison && std::fabs(got - want.value) <= want.slack) continue;
    const bool inf = std::isinf(got);
    const bool close = inf || std::fabs(got - want.value) <= 64 * half_ulp(std::fabs(x) + std::fabs(y));
    m.only_rounding = m.only_rounding && out[i] != poison && close;
    if (m.count++ == 0 || (inf && !m.overflow)) m.first = i;
    m.overflow = m.overflow || inf;
    m.last = i;
  }
  return m;
}

void expect_halves(const Result& result, const std::vector<HalfBits>& a, const std::vector<HalfBits>& b,
                   float t) {
  const auto out = result.array<HalfBits>("out");
  const Misses m = misses_of(out, a, b, t);
  if (m.count == 0) return;
  const double x = half_to_float(a[m.first]), y = half_to_float(b[m.first]);
  const double nearest = half_to_float(half_from(blended(x, y, t, 0).value));
  const std::string got =
      out[m.first] == poison ? "poison (never written)" : fmt::format("{:.6g}", half_to_float(out[m.first]));
  std::vector<std::string> evidence = {
      fmt::format("a = {:.6g}, b = {:.6g}, t = {:.6g}", x, y, t),
      fmt::format("{} of {} elements are wrong, the last is {}.", m.count, out.size(), m.last)};
  if (!m.only_rounding) {
    result.fail({"values", fmt::format("out[{}] is {}, expected {:.6g}.", m.first, got, nearest), evidence,
                 "Which thread writes this element, and what does it read?"});
  }
  evidence.push_back(m.overflow
                         ? std::string("The largest half is 65504.")
                         : fmt::format("Halves near {:.4g} lie {:.3g} apart.", nearest, half_ulp(nearest)));
  result.fail({m.overflow ? "overflow" : "rounds_in_between",
               fmt::format("out[{}] is {}, and the nearest half is {:.6g}.", m.first, got, nearest), evidence,
               "In which type does each operation compute, and how often is something rounded to half?"});
}

}  // namespace

CHECK_CASE(floats) {
  for (const int n : awkward_sizes(256)) {
    Inputs in(static_cast<std::uint64_t>(n));
    const auto a = in.floats("a", n), b = in.floats("b", n);
    const float t = static_cast<float>(in.one_of("t", 1, 99)) / 100.0f;
    std::vector<float> expected;
    for (int i = 0; i < n; ++i) expected.push_back(static_cast<float>(blended(a[i], b[i], t, 0).value));
    Run run("floats");
    run.say("T = float, n = {}", n).value("t", t).in("a", a).in("b", b).out<float>("out", a.size());
    const Result result = run.go();
    expect_success(result);
    result.expect("out", expected, within(1e-6, 2e-6));
  }
  passed("right for float");
}

CHECK_CASE(halves) {
  for (const float size : {65000.0f, 2.0f}) {
    for (const int n : awkward_sizes(256)) {
      Inputs in(static_cast<std::uint64_t>(n) + (size > 2 ? 1'000'000u : 0u));
      const auto a = halves(in, "a", n, size), b = halves(in, "b", n, size);
      const float t = static_cast<float>(in.one_of("t", 1, 99)) / 100.0f;
      Run run("halves");
      run.say("T = __half, n = {}", n).value("t", t).in("a", a).in("b", b).out<HalfBits>("out", a.size());
      const Result result = run.go();
      expect_success(result);
      expect_halves(result, a, b, t);
    }
  }
  passed("right for __half");
}

CHECK_CASE(no_double) {
  const std::size_t doubles = compiled().instructions_of_type("f64");
  expect_that(
      doubles == 0,
      {"double_arithmetic",
       fmt::format("Right, but the kernels compute with double: {} of their PTX instructions do.", doubles),
       {"On an H200 double has half the rate of float; on GPUs for games a thirty-second or a sixty-fourth.",
        "A number like 1.0 is a double, and what it meets becomes one."},
       "Which operand in the formula is neither a T nor a float?"});
  passed("in float");
}
