// f32 arithmetic: every rounding, flush to zero, saturation, NaN.
#include "table.h"
using namespace suite;

// .ftz flushes by the size that the result has before its exponent is bounded: what IEEE would round up to
// the smallest normal number is zero. `exact` is the result to 64 bits, `native` the one of IEEE, right for
// all but tiny ones.
inline f32 flushed(f32 native, long double exact, int mode) {
  if (!(std::fabs(exact) > 0 && std::fabs(exact) < 0x1p-125L)) return native;
  const f32 scaled = directed(mode, [&] { return static_cast<f32>(v(exact) * 0x1p60L); });
  return std::fabs(scaled) < 0x1p-66f ? std::copysign(0.0f, static_cast<f32>(exact < 0 ? -1 : 1))
                                      : std::ldexp(scaled, -60);
}
#define OP2(NAME, OP, EXPR) BINARY(NAME, OP " %0, %1, %2;", f32, f32, f32, nan32(EXPR))
#define FOUR(BASE, OPERATOR)                                                                          \
  OP2(BASE##_rn_f32, #BASE ".rn.f32", directed(FE_TONEAREST, [&] { return v(a) OPERATOR v(b); }));    \
  OP2(BASE##_rz_f32, #BASE ".rz.f32", directed(FE_TOWARDZERO, [&] { return v(a) OPERATOR v(b); }));   \
  OP2(BASE##_rm_f32, #BASE ".rm.f32", directed(FE_DOWNWARD, [&] { return v(a) OPERATOR v(b); }));     \
  OP2(BASE##_rp_f32, #BASE ".rp.f32", directed(FE_UPWARD, [&] { return v(a) OPERATOR v(b); }));       \
  OP2(BASE##_ftz_f32, #BASE ".rn.ftz.f32",                                                            \
      flushed(v(flush(a)) OPERATOR v(flush(b)), static_cast<long double>(flush(a)) OPERATOR flush(b), \
              FE_TONEAREST))
FOUR(add, +);
FOUR(sub, -);
FOUR(mul, *);
FOUR(div, /);
OP2(add_sat_f32, "add.sat.f32", clamp01(v(a) + v(b)));
OP2(add_rz_ftz_sat_f32, "add.rz.ftz.sat.f32",
    clamp01(flush(directed(FE_TOWARDZERO, [&] { return v(flush(a)) + v(flush(b)); }))));
OP2(sub_sat_f32, "sub.rn.sat.f32", clamp01(v(a) - v(b)));
OP2(mul_sat_f32, "mul.sat.f32", clamp01(v(a) * v(b)));
OP2(mul_ftz_sat_f32, "mul.ftz.sat.f32",
    clamp01(flushed(v(flush(a)) * v(flush(b)), static_cast<long double>(flush(a)) * flush(b), FE_TONEAREST)));
OP2(add_default_f32, "add.f32", v(a) + v(b));
OP2(div_rp_ftz_f32, "div.rp.ftz.f32",
    flushed(directed(FE_UPWARD, [&] { return v(flush(a)) / v(flush(b)); }),
            static_cast<long double>(flush(a)) / flush(b), FE_UPWARD));

#define OP3(NAME, OP, EXPR) TERNARY(NAME, OP " %0, %1, %2, %3;", f32, f32, f32, f32, nan32(EXPR))
#define FMA(MODE) directed(MODE, [&] { return std::fma(v(a), v(b), v(c)); })
OP3(fma_rn_f32, "fma.rn.f32", FMA(FE_TONEAREST));
OP3(fma_rz_f32, "fma.rz.f32", FMA(FE_TOWARDZERO));
OP3(fma_rm_f32, "fma.rm.f32", FMA(FE_DOWNWARD));
OP3(fma_rp_f32, "fma.rp.f32", FMA(FE_UPWARD));
OP3(fma_ftz_f32, "fma.rn.ftz.f32", flush(std::fma(v(flush(a)), v(flush(b)), v(flush(c)))));
// The product alone is tiny, or just not.
TERNARY_IN(fma_ftz_tiny_f32, "fma.rn.ftz.f32 %0, %1, %2, %3;", f32, f32, f32, f32,
           (std::vector<u64>{0x3f7fffff, 0x3f7ffffe, 0x3f800000, 0xbf7fffff, 0x3f800001}),
           (std::vector<u64>{0x00800000, 0x00800001, 0x80800000, 0x00800002}),
           (std::vector<u64>{0, 0x80000000, 0x00000001}),
           flushed(std::fma(v(a), v(b), v(flush(c))), static_cast<long double>(a) * b + flush(c),
                   FE_TONEAREST));
BINARY_IN(mul_ftz_tiny_f32, "mul.rn.ftz.f32 %0, %1, %2;", f32, f32, f32,
          (std::vector<u64>{0x1f7fffff, 0x1f800000, 0x1f7ffffe, 0x9f7ffffd, 0x1f000001, 0x1ffffffe}),
          (std::vector<u64>{0x20800000, 0x207fffff, 0x20800001, 0x20800002, 0x20000000, 0xa07ffffe}),
          flushed(v(a) * v(b), static_cast<long double>(a) * b, FE_TONEAREST));
BINARY_IN(mul_rp_ftz_tiny_f32, "mul.rp.ftz.f32 %0, %1, %2;", f32, f32, f32,
          (std::vector<u64>{0x1f7fffff, 0x1f800000, 0x1f7ffffe, 0x9f7ffffd, 0x1f000001, 0x1ffffffe}),
          (std::vector<u64>{0x20800000, 0x207fffff, 0x20800001, 0x20800002, 0x20000000, 0xa07ffffe}),
          flushed(directed(FE_UPWARD, [&] { return v(a) * v(b); }), static_cast<long double>(a) * b,
                  FE_UPWARD));
OP3(fma_sat_f32, "fma.rn.sat.f32", clamp01(FMA(FE_TONEAREST)));
OP3(fma_rm_ftz_sat_f32, "fma.rm.ftz.sat.f32",
    clamp01(flush(directed(FE_DOWNWARD, [&] { return std::fma(v(flush(a)), v(flush(b)), v(flush(c))); }))));
OP3(mad_rn_f32, "mad.rn.f32", FMA(FE_TONEAREST));

#define OP1(NAME, OP, EXPR) UNARY(NAME, OP " %0, %1;", f32, f32, nan32(EXPR))
#define ROUNDED(BASE, EXPR)                                                           \
  OP1(BASE##_rn_f32, #BASE ".rn.f32", directed(FE_TONEAREST, [&] { return EXPR; }));  \
  OP1(BASE##_rz_f32, #BASE ".rz.f32", directed(FE_TOWARDZERO, [&] { return EXPR; })); \
  OP1(BASE##_rm_f32, #BASE ".rm.f32", directed(FE_DOWNWARD, [&] { return EXPR; }));   \
  OP1(BASE##_rp_f32, #BASE ".rp.f32", directed(FE_UPWARD, [&] { return EXPR; }))
ROUNDED(rcp, v(1.0f) / v(a));
ROUNDED(sqrt, std::sqrt(v(a)));
OP1(rcp_rn_ftz_f32, "rcp.rn.ftz.f32", flush(v(1.0f) / v(flush(a))));
OP1(sqrt_rn_ftz_f32, "sqrt.rn.ftz.f32", flush(std::sqrt(v(flush(a)))));

// min and max: a NaN loses, -0 is smaller than +0.
inline f32 smaller(f32 a, f32 b) {
  return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
inline f32 greater(f32 a, f32 b) {
  return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}
OP2(min_f32, "min.f32", smaller(a, b));
OP2(max_f32, "max.f32", greater(a, b));
OP2(min_ftz_f32, "min.ftz.f32", smaller(flush(a), flush(b)));
OP2(max_ftz_f32, "max.ftz.f32", greater(flush(a), flush(b)));
OP1(abs_f32, "abs.f32", std::fabs(a));
OP1(neg_f32, "neg.f32", -a);
// A NaN's payload after abs.ftz and neg.ftz is open; only its being one is asked.
UNARY(abs_ftz_f32, "{ .reg .f32 t; abs.ftz.f32 t, %1; add.f32 %0, t, 0f80000000; }", f32, f32,
      nan32(std::fabs(flush(a)) + -0.0f));
UNARY(neg_ftz_f32, "{ .reg .f32 t; neg.ftz.f32 t, %1; add.f32 %0, t, 0f80000000; }", f32, f32,
      nan32(-flush(a) + -0.0f));
BINARY(copysign_f32, "copysign.f32 %0, %1, %2;", f32, f32, f32,
       from_bits<f32>((to_bits(a) & 0x80000000u) | (to_bits(b) & 0x7fffffffu)));
#define PROPERTY(NAME, WORD, EXPR) \
  UNARY(NAME, "{ .reg .pred p; testp." WORD ".f32 p, %1; selp.u32 %0, 1, 0, p; }", u32, f32, EXPR)
PROPERTY(testp_finite_f32, "finite", std::isfinite(a));
PROPERTY(testp_infinite_f32, "infinite", std::isinf(a));
PROPERTY(testp_number_f32, "number", !std::isnan(a));
PROPERTY(testp_notanumber_f32, "notanumber", std::isnan(a));
PROPERTY(testp_normal_f32, "normal", std::fpclassify(a) == FP_NORMAL || a == 0);  // the ISA counts zero in
PROPERTY(testp_subnormal_f32, "subnormal", std::fpclassify(a) == FP_SUBNORMAL);

SUITE_MAIN
