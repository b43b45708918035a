// Approximate instructions and the math library on top of them, within the errors that are documented.
#include "table.h"
using namespace suite;

#define ALL floats_between(-20, 20)
#define POSITIVE floats_between(0.001, 5000)
#define P1(WORD) asm(WORD " %0, %1;" : "=f"(d) : "f"(a))
// Instructions; the bounds are the ISA's.
APPROXIMATE(rcp_approx_f32, "rcp.approx.f32", ALL, nothing(), (Tolerance{1}), a == 0, 1 / a,
            P1("rcp.approx.f32"));
APPROXIMATE(sqrt_approx_f32, "sqrt.approx.f32", POSITIVE, nothing(), (Tolerance{1}), false, std::sqrt(a),
            P1("sqrt.approx.f32"));
APPROXIMATE(rsqrt_approx_f32, "rsqrt.approx.f32", POSITIVE, nothing(), (Tolerance{2}), false,
            1 / std::sqrt(a), P1("rsqrt.approx.f32"));
APPROXIMATE(sin_approx_f32, "sin.approx.f32", floats_between(-3.1415925, 3.1415925), nothing(),
            (Tolerance{0, 0x1p-20}), false, std::sin(a), P1("sin.approx.f32"));
APPROXIMATE(cos_approx_f32, "cos.approx.f32", floats_between(-3.1415925, 3.1415925), nothing(),
            (Tolerance{0, 0x1p-20}), false, std::cos(a), P1("cos.approx.f32"));
APPROXIMATE(lg2_approx_f32, "lg2.approx.f32", POSITIVE, nothing(), (Tolerance{0, 0x1p-21, 0x1p-22}), false,
            std::log2(a), P1("lg2.approx.f32"));
APPROXIMATE(ex2_approx_f32, "ex2.approx.f32", floats_between(-120, 120), nothing(), (Tolerance{3}), false,
            std::exp2(a), P1("ex2.approx.f32"));
APPROXIMATE(tanh_approx_f32, "tanh.approx.f32", floats_between(-9, 9), nothing(), (Tolerance{0, 0, 0x1p-10}),
            false, std::tanh(a), P1("tanh.approx.f32"));
APPROXIMATE(div_approx_f32, "div.approx.f32", ALL, POSITIVE, (Tolerance{2}), false, a / b,
            asm("div.approx.f32 %0, %1, %2;"
                : "=f"(d)
                : "f"(a), "f"(b)));
APPROXIMATE(div_full_f32, "div.full.f32", ALL, POSITIVE, (Tolerance{2}), false, a / b,
            asm("div.full.f32 %0, %1, %2;"
                : "=f"(d)
                : "f"(a), "f"(b)));
// Where the value is exact by the ISA's tables.
__global__ void specials(f32* out) {
  const f32 inf = __int_as_float(0x7f800000), nan = __int_as_float(0x7fc00000), tiny = __int_as_float(1);
  const f32 x[] = {0.0f, -0.0f, inf, -inf, nan, tiny};
  for (int i = 0; i < 6; ++i) {
    f32* d = out + 10 * i;
    const f32 a = x[i];
    asm volatile("rcp.approx.ftz.f32 %0, %1;" : "=f"(d[0]) : "f"(a));
    asm volatile("sqrt.approx.ftz.f32 %0, %1;" : "=f"(d[1]) : "f"(a));
    asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(d[2]) : "f"(a));
    asm volatile("sin.approx.ftz.f32 %0, %1;" : "=f"(d[3]) : "f"(a));
    asm volatile("cos.approx.ftz.f32 %0, %1;" : "=f"(d[4]) : "f"(a));
    asm volatile("lg2.approx.ftz.f32 %0, %1;" : "=f"(d[5]) : "f"(a));
    asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(d[6]) : "f"(a));
    asm volatile("tanh.approx.f32 %0, %1;" : "=f"(d[7]) : "f"(a));
    asm volatile("div.approx.ftz.f32 %0, %1, %2;" : "=f"(d[8]) : "f"(a), "f"(2.0f));
    asm volatile("div.full.ftz.f32 %0, %1, %2;" : "=f"(d[9]) : "f"(1.0f), "f"(a));
  }
}
BEHAVIOUR(approximations_of_special_values,
          "rcp.approx.ftz.f32 sqrt.approx.ftz.f32 rsqrt.approx.ftz.f32 sin.approx.ftz.f32 cos.approx.ftz.f32 "
          "lg2.approx.ftz.f32 "
          "ex2.approx.ftz.f32 div.approx.ftz.f32 div.full.ftz.f32") {
  Buffer<f32> out(60);
  specials<<<1, 1>>>(out);
  const auto got = out.get();
  const f32 i = HUGE_VALF, n = NAN;
  const f32 wanted[6][10] = {
      {i, 0, i, 0, 1, -i, 1, 0, 0, i}, {-i, -0.0f, -i, -0.0f, 1, -i, 1, -0.0f, -0.0f, -i},
      {0, i, 0, n, n, i, i, 1, i, 0},  {-0.0f, n, n, n, n, n, 0, -1, -i, -0.0f},
      {n, n, n, n, n, n, n, n, n, n},  {i, 0, i, 0, 1, -i, 1, 1e-45f, 0, i}};
  for (int r = 0; r < 6; ++r)
    for (int k = 0; k < 10; ++k) {
      if (r == 5 && k == 7) continue;  // tanh has no .ftz; what it gives for a denormal is open
      const f32 x = got[10 * r + k], y = wanted[r][k];
      if (to_bits(x) != to_bits(y) && !(x != x && y != y))
        report.fail("row %d, function %d gives %a, expected %a", r, k, x, y);
    }
}
// Denormals without .ftz.
APPROXIMATE(rcp_approx_denormal, "rcp.approx.f32",
            (std::vector<u64>{0x7f000000, 0x7f7fffff, 0x00600000, 0x00700123}), nothing(), (Tolerance{1}),
            false, 1 / a, P1("rcp.approx.f32"));
APPROXIMATE(sqrt_approx_denormal, "sqrt.approx.f32", (std::vector<u64>{1, 0x123, 0x007fffff}), nothing(),
            (Tolerance{2}), false, std::sqrt(a), P1("sqrt.approx.f32"));
APPROXIMATE(ex2_approx_denormal, "ex2.approx.f32", floats_between(-140, -126.5), nothing(), (Tolerance{2}),
            false, std::exp2(a), P1("ex2.approx.f32"));

// CUDA's functions, with the maximum errors of the programming guide.
#define LIBRARY(NAME, POOL, ULPS, TRUTH, CALL) \
  APPROXIMATE(library_##NAME, "", POOL, nothing(), (Tolerance{ULPS}), false, TRUTH, d = CALL)
LIBRARY(sinf, floats_between(-50, 50), 2, std::sin(a), sinf(a));
LIBRARY(sinf_large, floats_between(1e5, 1e9), 2, std::sin(a), sinf(a));
LIBRARY(cosf, floats_between(-50, 50), 2, std::cos(a), cosf(a));
LIBRARY(tanf, floats_between(-1.5, 1.5), 4, std::tan(a), tanf(a));
LIBRARY(expf, floats_between(-80, 80), 2, std::exp(a), expf(a));
LIBRARY(exp2f, floats_between(-120, 120), 2, std::exp2(a), exp2f(a));
LIBRARY(logf, POSITIVE, 1, std::log(a), logf(a));
LIBRARY(log2f, POSITIVE, 1, std::log2(a), log2f(a));
LIBRARY(log1pf, POSITIVE, 1, std::log1p(a), log1pf(a));
LIBRARY(tanhf, ALL, 2, std::tanh(a), tanhf(a));
LIBRARY(sinhf, ALL, 3, std::sinh(a), sinhf(a));
LIBRARY(atanf, ALL, 2, std::atan(a), atanf(a));
LIBRARY(asinf, floats_between(-1, 1), 2, std::asin(a), asinf(a));
LIBRARY(erff, ALL, 2, std::erf(a), erff(a));
LIBRARY(cbrtf, ALL, 1, std::cbrt(a), cbrtf(a));
LIBRARY(tgammaf, floats_between(0.5, 20), 5, std::tgamma(a), tgammaf(a));
LIBRARY(rsqrtf, POSITIVE, 2, 1 / std::sqrt(a), rsqrtf(a));
LIBRARY(sqrtf, POSITIVE, 0.5, std::sqrt(a), sqrtf(a));
APPROXIMATE(library_powf, "", POSITIVE, floats_between(-8, 8), (Tolerance{4}),
            std::fabs(b* std::log2(a)) > 120, std::pow(a, b), d = powf(a, b));
APPROXIMATE(library_fmodf, "", ALL, POSITIVE, (Tolerance{0.5}), false, std::fmod(a, b), d = fmodf(a, b));
APPROXIMATE(library_atan2f, "", ALL, ALL, (Tolerance{3}), a == 0 && b == 0, std::atan2(a, b),
            d = atan2f(a, b));
APPROXIMATE(library_hypotf, "", ALL, ALL, (Tolerance{3}), false, std::hypot(a, b), d = hypotf(a, b));
APPROXIMATE(library_fast_sin, "", floats_between(-3, 3), nothing(), (Tolerance{0, 0x1p-20}), false,
            std::sin(a), d = __sinf(a));
APPROXIMATE(library_fast_exp, "", floats_between(-5, 5), nothing(), (Tolerance{8}), false, std::exp(a),
            d = __expf(a));
APPROXIMATE(library_fast_division, "", ALL, POSITIVE, (Tolerance{2}), false, a / b, d = __fdividef(a, b));

// Double precision: one or two ulp, against the host's library (itself good to one).
struct op_doubles {
  static __device__ u64 device(const u64* x) {
    const f64 a = from_bits<f64>(x[0]);
    switch (x[1]) {
      case 0:
        return to_bits(exp(a));
      case 1:
        return to_bits(log(fabs(a) + 1e-3));
      case 2:
        return to_bits(sin(a));
      case 3:
        return to_bits(cos(a));
      case 4:
        return to_bits(tanh(a));
      case 5:
        return to_bits(atan(a));
      case 6:
        return to_bits(pow(fabs(a) + 0.1, 1.7));
      case 7:
        return to_bits(rsqrt(fabs(a) + 0.1));
      case 8:
        return to_bits(cbrt(a));
      default:
        return to_bits(erf(a));
    }
  }
};
BEHAVIOUR(library_doubles, "") {
  std::vector<u64> table;
  for (u64 k = 0; k < 10; ++k)
    for (const u64 x : floats_between(-20, 20)) {
      table.push_back(to_bits(static_cast<f64>(from_bits<f32>(x)) * 1.000000123));
      table.push_back(k);
      table.insert(table.end(), 2, 0);
    }
  const auto got = results<op_doubles>(table);
  for (size_t i = 0; i < got.size(); ++i) {
    const f64 a = from_bits<f64>(table[4 * i]), x = from_bits<f64>(got[i]);
    const f64 wanted[] = {std::exp(a),
                          std::log(std::fabs(a) + 1e-3),
                          std::sin(a),
                          std::cos(a),
                          std::tanh(a),
                          std::atan(a),
                          std::pow(std::fabs(a) + 0.1, 1.7),
                          1 / std::sqrt(std::fabs(a) + 0.1),
                          std::cbrt(a),
                          std::erf(a)};
    const f64 y = wanted[table[4 * i + 1]];
    if (!(std::fabs(x - y) <= 4 * std::fabs(y) * 0x1p-52 + 1e-300))
      report.fail("function %llu of %a gives %a, expected %a", table[4 * i + 1], a, x, y);
  }
}

SUITE_MAIN
