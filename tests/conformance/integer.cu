// Integer arithmetic: every operation at every width.
#include "table.h"
using namespace suite;
__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

#define BOTH(OP, NAME, T, EXPR) BINARY(NAME, OP " %0, %1, %2;", T, T, T, EXPR)

BOTH("add.u16", add_u16, u16, a + b);
BOTH("add.s16", add_s16, s16, a + b);
BOTH("add.u32", add_u32, u32, a + b);
BOTH("add.s32", add_s32, s32, s64{a} + b);
BOTH("add.u64", add_u64, u64, a + b);
BOTH("add.s64", add_s64, s64, u64(a) + u64(b));
BOTH("add.sat.s32", add_sat_s32, s32, std::min<s64>(std::max<s64>(s64{a} + b, INT32_MIN), INT32_MAX));
BOTH("sub.u16", sub_u16, u16, a - b);
BOTH("sub.s32", sub_s32, s32, s64{a} - b);
BOTH("sub.u64", sub_u64, u64, a - b);
BOTH("sub.sat.s32", sub_sat_s32, s32, std::min<s64>(std::max<s64>(s64{a} - b, INT32_MIN), INT32_MAX));
BOTH("mul.lo.u16", mul_lo_u16, u16, u32{a} * b);
BOTH("mul.lo.s16", mul_lo_s16, s16, s32{a} * b);
BOTH("mul.lo.u32", mul_lo_u32, u32, a* b);
BOTH("mul.lo.s32", mul_lo_s32, s32, s64{a} * b);
BOTH("mul.lo.s64", mul_lo_s64, s64, u64(a) * u64(b));
BOTH("mul.hi.u16", mul_hi_u16, u16, u32{a} * b >> 16);
BOTH("mul.hi.s16", mul_hi_s16, s16, s32{a} * b >> 16);
BOTH("mul.hi.u32", mul_hi_u32, u32, u64{a} * b >> 32);
BOTH("mul.hi.s32", mul_hi_s32, s32, s64{a} * b >> 32);
BOTH("mul.hi.u64", mul_hi_u64, u64, u128{a} * b >> 64);
BOTH("mul.hi.s64", mul_hi_s64, s64, s128{a} * b >> 64);
BINARY(mul_wide_u16, "mul.wide.u16 %0, %1, %2;", u32, u16, u16, u32{a} * b);
BINARY(mul_wide_s16, "mul.wide.s16 %0, %1, %2;", s32, s16, s16, s32{a} * b);
BINARY(mul_wide_u32, "mul.wide.u32 %0, %1, %2;", u64, u32, u32, u64{a} * b);
BINARY(mul_wide_s32, "mul.wide.s32 %0, %1, %2;", s64, s32, s32, s64{a} * b);
TERNARY(mad_lo_s32, "mad.lo.s32 %0, %1, %2, %3;", s32, s32, s32, s32, u32(a) * u32(b) + u32(c));
TERNARY(mad_lo_u16, "mad.lo.u16 %0, %1, %2, %3;", u16, u16, u16, u16, u32{a} * b + c);
TERNARY(mad_lo_u64, "mad.lo.u64 %0, %1, %2, %3;", u64, u64, u64, u64, a* b + c);
TERNARY(mad_hi_u32, "mad.hi.u32 %0, %1, %2, %3;", u32, u32, u32, u32, (u64{a} * b >> 32) + c);
TERNARY(mad_hi_s32, "mad.hi.s32 %0, %1, %2, %3;", s32, s32, s32, s32, (s64{a} * b >> 32) + c);
TERNARY(mad_hi_s64, "mad.hi.s64 %0, %1, %2, %3;", s64, s64, s64, s64, u64(s128{a} * b >> 64) + u64(c));
TERNARY(mad_hi_sat_s32, "mad.hi.sat.s32 %0, %1, %2, %3;", s32, s32, s32, s32,
        std::min<s64>(std::max<s64>((s64{a} * b >> 32) + c, INT32_MIN), INT32_MAX));
TERNARY(mad_wide_u16, "mad.wide.u16 %0, %1, %2, %3;", u32, u16, u16, u32, u32{a} * b + c);
TERNARY(mad_wide_u32, "mad.wide.u32 %0, %1, %2, %3;", u64, u32, u32, u64, u64{a} * b + c);
TERNARY(mad_wide_s32, "mad.wide.s32 %0, %1, %2, %3;", s64, s32, s32, s64, u64(s64{a} * b) + u64(c));

inline s64 low24(s64 x) {
  return static_cast<s64>(static_cast<u64>(x) << 40) >> 40;
}
BOTH("mul24.lo.u32", mul24_lo_u32, u32, u64{a & 0xffffffu} * (b & 0xffffffu));
BOTH("mul24.lo.s32", mul24_lo_s32, s32, low24(a) * low24(b));
BOTH("mul24.hi.u32", mul24_hi_u32, u32, u64{a & 0xffffffu} * (b & 0xffffffu) >> 16);
BOTH("mul24.hi.s32", mul24_hi_s32, s32, low24(a) * low24(b) >> 16);
TERNARY(mad24_lo_s32, "mad24.lo.s32 %0, %1, %2, %3;", s32, s32, s32, s32, u32(low24(a) * low24(b)) + u32(c));
TERNARY(mad24_hi_u32, "mad24.hi.u32 %0, %1, %2, %3;", u32, u32, u32, u32,
        u32(u64{a & 0xffffffu} * (b & 0xffffffu) >> 16) + c);

// PTX leaves division by zero open; an H200 gives all ones, for the remainder too.
BOTH("div.u16", div_u16, u16, b == 0 ? 0xffff : a / b);
BOTH("div.u32", div_u32, u32, b == 0 ? ~0u : a / b);
BOTH("div.s32", div_s32, s32, b == 0 ? -1 : s64{a} / b);
BOTH("div.u64", div_u64, u64, b == 0 ? ~0ull : a / b);
BOTH("div.s64", div_s64, s64, b == 0 ? -1 : b == -1 ? s64(0 - u64(a)) : a / b);
BOTH("div.s16", div_s16, s16, b == 0 ? -1 : a / b);
BOTH("rem.u16", rem_u16, u16, b == 0 ? 0xffff : a % b);
BOTH("rem.s16", rem_s16, s16, b == 0 ? -1 : a % b);
BOTH("rem.u32", rem_u32, u32, b == 0 ? ~0ull : a % b);
BOTH("rem.s32", rem_s32, s32, b == 0 ? -1 : s64{a} % b);
BOTH("rem.u64", rem_u64, u64, b == 0 ? ~0ull : a % b);
BOTH("rem.s64", rem_s64, s64, b == 0 ? -1 : b == -1 ? 0 : a % b);

BOTH("min.u16", min_u16, u16, std::min(a, b));
BOTH("min.s16", min_s16, s16, std::min(a, b));
BOTH("min.u32", min_u32, u32, std::min(a, b));
BOTH("min.s32", min_s32, s32, std::min(a, b));
BOTH("min.u64", min_u64, u64, std::min(a, b));
BOTH("min.s64", min_s64, s64, std::min(a, b));
BOTH("max.u16", max_u16, u16, std::max(a, b));
BOTH("max.s16", max_s16, s16, std::max(a, b));
BOTH("max.u32", max_u32, u32, std::max(a, b));
BOTH("max.s32", max_s32, s32, std::max(a, b));
BOTH("max.u64", max_u64, u64, std::max(a, b));
BOTH("max.s64", max_s64, s64, std::max(a, b));
UNARY(abs_s16, "abs.s16 %0, %1;", s16, s16, a < 0 ? -a : a);
UNARY(abs_s32, "abs.s32 %0, %1;", s32, s32, a < 0 ? -s64{a} : a);
UNARY(abs_s64, "abs.s64 %0, %1;", s64, s64, a < 0 ? 0 - u64(a) : u64(a));
UNARY(neg_s16, "neg.s16 %0, %1;", s16, s16, -a);
UNARY(neg_s32, "neg.s32 %0, %1;", s32, s32, -s64{a});
UNARY(neg_s64, "neg.s64 %0, %1;", s64, s64, 0 - u64(a));
TERNARY(sad_u16, "sad.u16 %0, %1, %2, %3;", u16, u16, u16, u16, (a < b ? b - a : a - b) + c);
TERNARY(sad_u32, "sad.u32 %0, %1, %2, %3;", u32, u32, u32, u32, (a < b ? b - a : a - b) + c);
TERNARY(sad_s32, "sad.s32 %0, %1, %2, %3;", s32, s32, s32, s32, (a < b ? s64{b} - a : s64{a} - b) + c);
TERNARY(sad_s64, "sad.s64 %0, %1, %2, %3;", s64, s64, s64, s64,
        (a < b ? u64(b) - u64(a) : u64(a) - u64(b)) + u64(c));

template <class A, class B>
u32 dot4(u32 a, u32 b, u32 c) {
  for (int k = 0; k < 4; ++k)
    c += static_cast<u32>(int{static_cast<A>(a >> 8 * k)} * int{static_cast<B>(b >> 8 * k)});
  return c;
}
template <class A, class B>
u32 dot2(u32 a, u32 b, u32 c, int first) {
  for (int k = 0; k < 2; ++k)
    c += static_cast<u32>(int{static_cast<A>(a >> 16 * k)} * int{static_cast<B>(b >> 8 * (first + k))});
  return c;
}
TERNARY(dp4a_u32_u32, "dp4a.u32.u32 %0, %1, %2, %3;", u32, u32, u32, u32, dot4<u8, u8>(a, b, c));
TERNARY(dp4a_s32_s32, "dp4a.s32.s32 %0, %1, %2, %3;", u32, u32, u32, u32, dot4<s8, s8>(a, b, c));
TERNARY(dp4a_s32_u32, "dp4a.s32.u32 %0, %1, %2, %3;", u32, u32, u32, u32, dot4<s8, u8>(a, b, c));
TERNARY(dp4a_u32_s32, "dp4a.u32.s32 %0, %1, %2, %3;", u32, u32, u32, u32, dot4<u8, s8>(a, b, c));
TERNARY(dp2a_lo_u32_u32, "dp2a.lo.u32.u32 %0, %1, %2, %3;", u32, u32, u32, u32, dot2<u16, u8>(a, b, c, 0));
TERNARY(dp2a_hi_s32_s32, "dp2a.hi.s32.s32 %0, %1, %2, %3;", u32, u32, u32, u32, dot2<s16, s8>(a, b, c, 2));
TERNARY(dp2a_lo_s32_u32, "dp2a.lo.s32.u32 %0, %1, %2, %3;", u32, u32, u32, u32, dot2<s16, u8>(a, b, c, 0));

// The carry flag: the high half of a sum of twice the width.
TERNARY(addc_u32, "{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, %3, 0; }", u32, u32, u32, u32,
        c + u32(u64{a} + b > 0xffffffffull));
TERNARY(addc_cc_u32, "{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.cc.u32 t, %3, -1; addc.u32 %0, 0, 0; }", u32,
        u32, u32, u32, u64{c} + 0xffffffffull + (u64{a} + b > 0xffffffffull) > 0xffffffffull);
TERNARY(addc_u64, "{ .reg .u64 t; add.cc.u64 t, %1, %2; addc.u64 %0, %3, 0; }", u64, u64, u64, u64,
        c + u64(a + b < a));
TERNARY(subc_u32, "{ .reg .u32 t; sub.cc.u32 t, %1, %2; subc.u32 %0, %3, 0; }", u32, u32, u32, u32,
        c - u32(a < b));
TERNARY(subc_cc_u32, "{ .reg .u32 t; sub.cc.u32 t, %1, %2; subc.cc.u32 t, %3, 5; subc.u32 %0, 0, 0; }", u32,
        u32, u32, u32, 0 - u32(u64{c} < u64{5} + (a < b)));
TERNARY(subc_u64, "{ .reg .u64 t; sub.cc.u64 t, %1, %2; subc.u64 %0, %3, 0; }", u64, u64, u64, u64,
        c - u64(a < b));
TERNARY(mad_cc_u32, "{ .reg .u32 t; mad.lo.cc.u32 t, %1, %2, %3; madc.hi.u32 %0, %1, %2, 0; }", u32, u32, u32,
        u32, (u64{a} * b + c) >> 32);
TERNARY(madc_hi_cc_u32,
        "{ .reg .u32 t; mad.lo.cc.u32 t, %1, %2, %3; madc.hi.cc.u32 t, %1, %2, -1; addc.u32 %0, 0, 0; }", u32,
        u32, u32, u32,
        (((u64{a} * b) >> 32) + 0xffffffffull + (((u64{a} * b & 0xffffffffu) + c) >> 32)) >> 32);
TERNARY(mad_cc_u64, "{ .reg .u64 t; mad.lo.cc.u64 t, %1, %2, %3; madc.hi.u64 %0, %1, %2, 0; }", u64, u64, u64,
        u64, (u128{a} * b + c) >> 64);
BINARY(mad_hi_cc_s32, "{ .reg .s32 t; mad.hi.cc.s32 t, %1, %2, %2; addc.u32 %0, 0, 0; }", u32, s32, s32,
       (u64{u32(s64{a} * b >> 32)} + u32(b)) >> 32);

SUITE_MAIN
