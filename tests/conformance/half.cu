// f16 and bf16: arithmetic of one and of pairs, and their conversions. (compute_90: all of bf16 is there.)
#include "table.h"
using namespace suite;

struct Half {
  static long double value(u32 x) { return from_half(x); }
  static u32 round(long double x) { return to_half(x); }
  static constexpr u32 infinity = 0x7c00;
};
struct Bfloat {
  static long double value(u32 x) { return from_bfloat(x); }
  static u32 round(long double x) { return to_bfloat(x); }
  static constexpr u32 infinity = 0x7f80;
};
// The exact sum of a product and a value, rounded once: what a long double drops is folded into its last bit.
inline long double fused(long double a, long double b, long double c) {
  const long double p = a * b, s = p + c;
  if (std::isinf(s) || s != s) return s;
  const long double t = s - p, error = (p - (s - t)) + (c - t);
  if (error == 0) return s;
  u64 mantissa;
  memcpy(&mantissa, &s, 8);
  if ((mantissa & 1u) != 0) return s;
  return std::nextafter(s, error > 0 ? HUGE_VALL : -HUGE_VALL);
}
template <class F, class Op>
u32 on_pair(u32 a, u32 b, u32 c, Op op) {
  return op(a & 0xffffu, b & 0xffffu, c & 0xffffu) | op(a >> 16, b >> 16, c >> 16) << 16;
}
inline long double smaller(long double a, long double b) {
  return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
inline long double greater(long double a, long double b) {
  return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}
inline long double clamped(long double x) {
  return x != x || x <= 0 ? 0 : x > 1 ? 1 : x;
}
inline long double floored(long double x) {
  return x < 0 || (x == 0 && std::signbit(x)) ? 0 : x;
}
inline u32 flushed(u32 bits) {
  return (bits & 0x7c00u) == 0 ? bits & 0x8000u : bits;
}

#define A F::value(x)
#define B F::value(y)
#define C F::value(z)
#define ONE(NAME, F_, T, PTX, EXPR)                          \
  TERNARY(NAME, PTX, T, T, T, T, ([&] {                      \
            using F = F_;                                    \
            const auto op = [](u32 x, u32 y, u32 z) -> u32 { \
              (void)y, (void)z;                              \
              return EXPR;                                   \
            };                                               \
            return op(a, b, c);                              \
          }()))
#define PAIR(NAME, F_, T, PTX, EXPR)                                    \
  TERNARY(NAME, PTX, T, T, T, T, ([&] {                                 \
            using F = F_;                                               \
            return on_pair<F>(a, b, c, [](u32 x, u32 y, u32 z) -> u32 { \
              (void)y, (void)z;                                         \
              return EXPR;                                              \
            });                                                         \
          }()))
#define BOTH_FORMATS(BASE, WORD, ARGS, EXPR)                  \
  ONE(BASE##_f16, Half, f16, WORD ".f16 " ARGS, EXPR);        \
  PAIR(BASE##_f16x2, Half, f16x2, WORD ".f16x2 " ARGS, EXPR); \
  ONE(BASE##_bf16, Bfloat, bf16, WORD ".bf16 " ARGS, EXPR);   \
  PAIR(BASE##_bf16x2, Bfloat, bf16x2, WORD ".bf16x2 " ARGS, EXPR)
BOTH_FORMATS(add, "add.rn", "%0, %1, %2;", F::round(A + B));
BOTH_FORMATS(sub, "sub.rn", "%0, %1, %2;", F::round(A - B));
BOTH_FORMATS(mul, "mul.rn", "%0, %1, %2;", F::round(A* B));
BOTH_FORMATS(fma, "fma.rn", "%0, %1, %2, %3;", F::round(fused(A, B, C)));
BOTH_FORMATS(fma_relu, "fma.rn.relu", "%0, %1, %2, %3;", F::round(floored(fused(A, B, C))));
BOTH_FORMATS(min, "min", "%0, %1, %2;", F::round(smaller(A, B)));
BOTH_FORMATS(max, "max", "%0, %1, %2;", F::round(greater(A, B)));
BOTH_FORMATS(min_nan, "min.NaN", "%0, %1, %2;", A != A || B != B ? 0x7fffu : F::round(smaller(A, B)));
BOTH_FORMATS(max_nan, "max.NaN", "%0, %1, %2;", A != A || B != B ? 0x7fffu : F::round(greater(A, B)));
ONE(add_sat_f16, Half, f16, "add.rn.sat.f16 %0, %1, %2;", F::round(clamped(A + B)));
PAIR(mul_sat_f16x2, Half, f16x2, "mul.rn.sat.f16x2 %0, %1, %2;", F::round(clamped(A* B)));
PAIR(fma_sat_f16x2, Half, f16x2, "fma.rn.sat.f16x2 %0, %1, %2, %3;", F::round(clamped(fused(A, B, C))));
ONE(add_ftz_f16, Half, f16, "add.rn.ftz.f16 %0, %1, %2;",
    flushed(F::round(F::value(flushed(x)) + F::value(flushed(y)))));
PAIR(fma_ftz_f16x2, Half, f16x2, "fma.rn.ftz.f16x2 %0, %1, %2, %3;",
     flushed(F::round(fused(F::value(flushed(x)), F::value(flushed(y)), F::value(flushed(z))))));
ONE(min_ftz_f16, Half, f16, "min.ftz.f16 %0, %1, %2;",
    F::round(smaller(F::value(flushed(x)), F::value(flushed(y)))));
PAIR(min_xorsign_f16x2, Half, f16x2, "min.xorsign.abs.f16x2 %0, %1, %2;",
     (F::round(smaller(std::fabs(A), std::fabs(B))) & 0x7fffu) |
         (A != A || B != B ? (A != A && B != B ? 0 : (x ^ y) & 0x8000u) : (x ^ y) & 0x8000u));
// Of f32, what compute_75 does not have.
BINARY(max_nan_f32, "max.NaN.f32 %0, %1, %2;", f32, f32, f32,
       a != a || b != b ? from_bits<f32>(0x7fffffff) : static_cast<f32>(greater(a, b)));
BINARY(min_nan_ftz_f32, "min.ftz.NaN.f32 %0, %1, %2;", f32, f32, f32,
       a != a || b != b ? from_bits<f32>(0x7fffffff) : static_cast<f32>(smaller(flush(a), flush(b))));
BOTH_FORMATS(neg, "neg", "%0, %1;", A != A ? 0x7fffu : x ^ 0x8000u);
BOTH_FORMATS(abs, "abs", "%0, %1;", A != A ? 0x7fffu : x & 0x7fffu);

// Comparisons.
#define SETP(NAME, F_, T, WORD, EXPR)                                                                \
  BINARY(NAME, "{ .reg .pred p; setp." WORD " p, %1, %2; selp.u32 %0, 1, 0, p; }", u32, T, T, ([&] { \
           using F = F_;                                                                             \
           const long double x = F::value(a), y = F::value(b);                                       \
           return EXPR;                                                                              \
         }()))
SETP(setp_lt_f16, Half, f16, "lt.f16", x < y);
SETP(setp_neu_f16, Half, f16, "neu.f16", !(x == y));
SETP(setp_geu_bf16, Bfloat, bf16, "geu.bf16", !(x < y));
SETP(setp_num_bf16, Bfloat, bf16, "num.bf16", x == x && y == y);
BINARY(setp_pair_f16x2,
       "{ .reg .pred p; .reg .pred q; .reg .u32 t; setp.gt.f16x2 p|q, %1, %2; selp.u32 t, 1, 0, p; selp.u32 "
       "%0, 2, 0, q; "
       "or.b32 %0, %0, t; }",
       u32, f16x2, f16x2,
       (from_half(a) > from_half(b) ? 1 : 0) | (from_half(a >> 16) > from_half(b >> 16) ? 2 : 0));
BINARY(set_eq_f16x2, "set.eq.f16x2.f16x2 %0, %1, %2;", f16x2, f16x2, f16x2,
       (from_half(a) == from_half(b) ? 0x3c00 : 0) |
           (from_half(a >> 16) == from_half(b >> 16) ? 0x3c000000 : 0));
BINARY(set_le_u32_f16, "set.le.u32.f16 %0, %1, %2;", u32, f16, f16, from_half(a) <= from_half(b) ? ~0u : 0);
BINARY(set_ltu_bf16x2, "set.ltu.bf16x2.bf16x2 %0, %1, %2;", bf16x2, bf16x2, bf16x2,
       (!(from_bfloat(a) >= from_bfloat(b)) ? 0x3f80 : 0) |
           (!(from_bfloat(a >> 16) >= from_bfloat(b >> 16)) ? 0x3f800000 : 0));

// Conversions of bf16, and of pairs.
UNARY(cvt_f32_bf16, "cvt.f32.bf16 %0, %1;", f32, bf16, from_bits<f32>(u64{a} << 16));
UNARY(cvt_rn_bf16_f32, "cvt.rn.bf16.f32 %0, %1;", bf16, f32, to_bfloat(a));
UNARY(cvt_rz_bf16_f32, "cvt.rz.bf16.f32 %0, %1;", bf16, f32, to_bfloat(a, FE_TOWARDZERO));
UNARY(cvt_rn_relu_bf16_f32, "cvt.rn.relu.bf16.f32 %0, %1;", bf16, f32, to_bfloat(floored(a)));
UNARY(cvt_rn_bf16_s32, "cvt.rn.bf16.s32 %0, %1;", bf16, s32, to_bfloat(a));
UNARY(cvt_rzi_s32_bf16, "cvt.rzi.s32.bf16 %0, %1;", s32, bf16,
      from_bfloat(a) != from_bfloat(a)
          ? 0
          : std::min<long double>(std::max<long double>(std::trunc(from_bfloat(a)), INT32_MIN), INT32_MAX));
UNARY(cvt_rn_f16_bf16, "cvt.rn.f16.bf16 %0, %1;", f16, bf16, to_half(from_bfloat(a)));
UNARY(cvt_rn_bf16_f16, "cvt.rn.bf16.f16 %0, %1;", bf16, f16, to_bfloat(from_half(a)));
BINARY(cvt_rn_f16x2_f32, "cvt.rn.f16x2.f32 %0, %1, %2;", f16x2, f32, f32, to_half(a) << 16 | to_half(b));
BINARY(cvt_rz_f16x2_f32, "cvt.rz.f16x2.f32 %0, %1, %2;", f16x2, f32, f32,
       to_half(a, FE_TOWARDZERO) << 16 | to_half(b, FE_TOWARDZERO));
BINARY(cvt_rn_bf16x2_f32, "cvt.rn.bf16x2.f32 %0, %1, %2;", bf16x2, f32, f32,
       to_bfloat(a) << 16 | to_bfloat(b));
BINARY(cvt_rn_relu_bf16x2_f32, "cvt.rn.relu.bf16x2.f32 %0, %1, %2;", bf16x2, f32, f32,
       to_bfloat(floored(a)) << 16 | to_bfloat(floored(b)));
// tf32: ten bits of fraction, ties away from zero; the low 13 bits are zero. A NaN is cut like a number.
UNARY(cvt_rna_tf32_f32, "cvt.rna.tf32.f32 %0, %1;", u32, f32, (to_bits(a) + 0x1000u) & 0xffffe000ull);

// Approximations of half precision: within one ulp of the format, by the ISA's bounds.
template <class F>
bool near(u32 got, long double wanted, double relative) {
  const long double x = F::value(got);
  if (wanted != wanted) return x != x;
  if (std::fabs(wanted) > F::value(F::infinity - 1))
    return std::isinf(x) || std::fabs(x) == F::value(F::infinity - 1);
  return std::fabs(x - wanted) <= relative * std::fabs(wanted) + F::value(1);
}
template <class Op>
void run_near(Report& report) {
  const auto table = combinations(Op::pools());
  const auto got = results<Op>(table);
  for (size_t i = 0; i < got.size(); ++i)
    if (!Op::good(table[4 * i], got[i])) report.fail("(%llx) gives %llx", table[4 * i], got[i]);
}
#define NEAR(NAME, F, T, PTX, RELATIVE, EXPR)                            \
  struct op_##NAME {                                                     \
    static __device__ u64 device(const u64* x) {                         \
      raw<T> a = from_bits<raw<T>>(x[0]), d;                             \
      asm(PTX : "=" C_##T(d) : C_##T(a));                                \
      return to_bits(d);                                                 \
    }                                                                    \
    static bool good(u64 bits, u64 got) {                                \
      const long double a = F::value(static_cast<u32>(bits & 0xffffu));  \
      return near<F>(static_cast<u32>(got & 0xffffu), EXPR, RELATIVE);   \
    }                                                                    \
    static std::vector<std::vector<u64>> pools() { return {pool<T>()}; } \
  };                                                                     \
  static Registration registered_##NAME(#NAME, words_of(PTX), run_near<op_##NAME>)
NEAR(ex2_f16, Half, f16, "ex2.approx.f16 %0, %1;", 0x1p-9, std::exp2(a));
NEAR(ex2_f16x2, Half, f16x2, "ex2.approx.f16x2 %0, %1;", 0x1p-9, std::exp2(a));
NEAR(ex2_bf16, Bfloat, bf16, "ex2.approx.ftz.bf16 %0, %1;", 0x1p-6, std::exp2(a));
NEAR(tanh_f16, Half, f16, "tanh.approx.f16 %0, %1;", 0x1p-9, std::tanh(a));
NEAR(tanh_bf16, Bfloat, bf16, "tanh.approx.bf16 %0, %1;", 0x1p-6, std::tanh(a));

SUITE_MAIN
