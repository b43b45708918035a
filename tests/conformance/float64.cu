// f64 arithmetic with every rounding. A NaN's payload is judged by nan_payload_f64 alone.
#include "table.h"
using namespace suite;

#define OP2(NAME, OP, EXPR) BINARY(NAME, OP " %0, %1, %2;", f64, f64, f64, EXPR)
#define FOUR(BASE, OPERATOR)                                                                        \
  OP2(BASE##_rn_f64, #BASE ".rn.f64", directed(FE_TONEAREST, [&] { return v(a) OPERATOR v(b); }));  \
  OP2(BASE##_rz_f64, #BASE ".rz.f64", directed(FE_TOWARDZERO, [&] { return v(a) OPERATOR v(b); })); \
  OP2(BASE##_rm_f64, #BASE ".rm.f64", directed(FE_DOWNWARD, [&] { return v(a) OPERATOR v(b); }));   \
  OP2(BASE##_rp_f64, #BASE ".rp.f64", directed(FE_UPWARD, [&] { return v(a) OPERATOR v(b); }))
FOUR(add, +);
FOUR(sub, -);
FOUR(mul, *);
FOUR(div, /);
#define FMA(NAME, OP, MODE)                                \
  TERNARY(NAME, OP " %0, %1, %2, %3;", f64, f64, f64, f64, \
          directed(MODE, [&] { return std::fma(v(a), v(b), v(c)); }))
FMA(fma_rn_f64, "fma.rn.f64", FE_TONEAREST);
FMA(fma_rz_f64, "fma.rz.f64", FE_TOWARDZERO);
FMA(fma_rm_f64, "fma.rm.f64", FE_DOWNWARD);
FMA(fma_rp_f64, "fma.rp.f64", FE_UPWARD);
FMA(mad_rn_f64, "mad.rn.f64", FE_TONEAREST);
#define OP1(NAME, OP, EXPR) UNARY(NAME, OP " %0, %1;", f64, f64, EXPR)
#define ROUNDED(BASE, EXPR)                                                           \
  OP1(BASE##_rn_f64, #BASE ".rn.f64", directed(FE_TONEAREST, [&] { return EXPR; }));  \
  OP1(BASE##_rz_f64, #BASE ".rz.f64", directed(FE_TOWARDZERO, [&] { return EXPR; })); \
  OP1(BASE##_rm_f64, #BASE ".rm.f64", directed(FE_DOWNWARD, [&] { return EXPR; }));   \
  OP1(BASE##_rp_f64, #BASE ".rp.f64", directed(FE_UPWARD, [&] { return EXPR; }))
ROUNDED(rcp, v(1.0) / v(a));
ROUNDED(sqrt, std::sqrt(v(a)));
inline f64 smaller(f64 a, f64 b) {
  return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
inline f64 greater(f64 a, f64 b) {
  return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}
OP2(min_f64, "min.f64", smaller(a, b));
OP2(max_f64, "max.f64", greater(a, b));
UNARY(abs_f64, "abs.f64 %0, %1;", f64, f64, std::fabs(a));
UNARY(neg_f64, "neg.f64 %0, %1;", f64, f64, -a);
BINARY(copysign_f64, "copysign.f64 %0, %1, %2;", f64, f64, f64, std::copysign(b, a));
#define PROPERTY(NAME, WORD, EXPR) \
  UNARY(NAME, "{ .reg .pred p; testp." WORD ".f64 p, %1; selp.u32 %0, 1, 0, p; }", u32, f64, EXPR)
PROPERTY(testp_finite_f64, "finite", std::isfinite(a));
PROPERTY(testp_normal_f64, "normal", std::fpclassify(a) == FP_NORMAL || a == 0);
PROPERTY(testp_subnormal_f64, "subnormal", std::fpclassify(a) == FP_SUBNORMAL);
PROPERTY(testp_notanumber_f64, "notanumber", std::isnan(a));

// The approximations of f64: the upper word alone counts, results are good to 2^-20 or better.
struct op_coarse {
  static __device__ u64 device(const u64* x) {
    const f64 a = from_bits<f64>(x[0]);
    f64 r, s;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
    asm("rsqrt.approx.f64 %0, %1;" : "=d"(s) : "d"(a));
    const f64 one = fabs(r * a - 1), two = fabs(s * s * a - 1);
    return one < 0x1p-18 && two < 0x1p-18 ? 1 : 0;
  }
};
BEHAVIOUR(rcp_rsqrt_approx_f64, "rcp.approx.ftz.f64 rsqrt.approx.f64") {
  std::vector<u64> table;
  for (int i = 1; i < 300; ++i) {
    table.push_back(to_bits(std::ldexp(1.0 + i / 300.0, i % 60 - 30)));
    table.insert(table.end(), 3, 0);
  }
  report.equal("close", results<op_coarse>(table), std::vector<u64>(table.size() / 4, 1));
}

__global__ void payloads(u64* out, f64 quiet, f64 other, f64 infinity) {
  out[0] = to_bits(__dadd_rn(quiet, 1.0));
  out[1] = to_bits(__dmul_rn(2.0, quiet));
  out[2] = to_bits(__dadd_rn(infinity, -infinity));
  out[3] = to_bits(__fma_rn(quiet, 2.0, 1.0));
  out[4] = to_bits(__dadd_rn(other, quiet));
  out[5] = to_bits(__dmul_rn(infinity, 0.0));
}
BEHAVIOUR(nan_payload_f64, "add.rn.f64 mul.rn.f64 fma.rn.f64") {
  Buffer<u64> out(6);
  payloads<<<1, 1>>>(out, from_bits<f64>(0x7ff8000012345678), from_bits<f64>(0xfff80000deadbeef), HUGE_VAL);
  const auto got = out.get();
  for (int k = 0; k < 6; ++k)
    report.holds("a NaN comes out", from_bits<f64>(got[k]) != from_bits<f64>(got[k]));
  report.equal("payload of the one NaN, add", got[0], 0x7ff8000012345678);
  report.equal("payload of the one NaN, mul", got[1], 0x7ff8000012345678);
  report.equal("payload of the one NaN, fma", got[3], 0x7ff8000012345678);
  report.equal("infinity minus infinity", got[2], 0xfff8000000000000);
  report.equal("infinity times zero", got[5], 0xfff8000000000000);
}

SUITE_MAIN
