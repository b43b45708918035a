// setp, set, selp, slct: every comparison, ordered and unordered, combined and paired.
#include "table.h"
using namespace suite;

#define SETP(NAME, WORD, T, EXPR) \
  BINARY(NAME, "{ .reg .pred p; setp." WORD " p, %1, %2; selp.u32 %0, 1, 0, p; }", u32, T, T, EXPR)
SETP(setp_eq_u16, "eq.u16", u16, a == b);
SETP(setp_lt_s16, "lt.s16", s16, a < b);
SETP(setp_eq_b32, "eq.b32", u32, a == b);
SETP(setp_ne_u32, "ne.u32", u32, a != b);
SETP(setp_lt_u32, "lt.u32", u32, a < b);
SETP(setp_lt_s32, "lt.s32", s32, a < b);
SETP(setp_le_s32, "le.s32", s32, a <= b);
SETP(setp_gt_s32, "gt.s32", s32, a > b);
SETP(setp_ge_u32, "ge.u32", u32, a >= b);
SETP(setp_lo_u32, "lo.u32", u32, a < b);
SETP(setp_ls_u32, "ls.u32", u32, a <= b);
SETP(setp_hi_u32, "hi.u32", u32, a > b);
SETP(setp_hs_u32, "hs.u32", u32, a >= b);
SETP(setp_lt_u64, "lt.u64", u64, a < b);
SETP(setp_ge_s64, "ge.s64", s64, a >= b);
SETP(setp_ne_b64, "ne.b64", u64, a != b);
#define FLOATS(T)                                      \
  SETP(setp_eq_##T, "eq." #T, T, a == b);              \
  SETP(setp_ne_##T, "ne." #T, T, a<b || a> b);         \
  SETP(setp_lt_##T, "lt." #T, T, a < b);               \
  SETP(setp_le_##T, "le." #T, T, a <= b);              \
  SETP(setp_gt_##T, "gt." #T, T, a > b);               \
  SETP(setp_ge_##T, "ge." #T, T, a >= b);              \
  SETP(setp_equ_##T, "equ." #T, T, !(a < b || a > b)); \
  SETP(setp_neu_##T, "neu." #T, T, !(a == b));         \
  SETP(setp_ltu_##T, "ltu." #T, T, !(a >= b));         \
  SETP(setp_leu_##T, "leu." #T, T, !(a > b));          \
  SETP(setp_gtu_##T, "gtu." #T, T, !(a <= b));         \
  SETP(setp_geu_##T, "geu." #T, T, !(a < b));          \
  SETP(setp_num_##T, "num." #T, T, a == a && b == b);  \
  SETP(setp_nan_##T, "nan." #T, T, a != a || b != b)
FLOATS(f32);
FLOATS(f64);
SETP(setp_lt_ftz_f32, "lt.ftz.f32", f32, flush(a) < flush(b));
SETP(setp_equ_ftz_f32, "equ.ftz.f32", f32, !(flush(a) < flush(b) || flush(a) > flush(b)));

// The second predicate is the opposite; each is combined with the third.
#define PAIR(NAME, HOW, P, Q)                                                                    \
  TERNARY(NAME,                                                                                  \
          "{ .reg .pred p; .reg .pred q; .reg .pred c; .reg .u32 t; setp.ne.u32 c, %3, 0; "      \
          "setp.lt." HOW                                                                         \
          ".s32 p|q, %1, %2, c; selp.u32 t, 1, 0, p; selp.u32 %0, 2, 0, q; or.b32 %0, %0, t; }", \
          u32, s32, s32, u32, ((P) ? 1 : 0) | ((Q) ? 2 : 0))
PAIR(setp_and_pair, "and", a < b && c != 0, a >= b && c != 0);
PAIR(setp_or_pair, "or", a < b || c != 0, a >= b || c != 0);
PAIR(setp_xor_pair, "xor", (a < b) != (c != 0), (a >= b) != (c != 0));
TERNARY(setp_negated_source,
        "{ .reg .pred p; .reg .pred c; setp.ne.u32 c, %3, 0; setp.gt.and.f32 p, %1, %2, !c; selp.u32 %0, 1, "
        "0, p; }",
        u32, f32, f32, u32, a > b && c == 0);
BINARY(setp_pair_f64,
       "{ .reg .pred p; .reg .pred q; .reg .u32 t; setp.ge.f64 p|q, %1, %2; selp.u32 t, 1, 0, p; selp.u32 "
       "%0, 2, 0, q; or.b32 %0, %0, t; }",
       u32, f64, f64, a >= b ? 1 : 2);
BINARY(guard_negated,
       "{ .reg .pred p; setp.lt.u32 p, %1, %2; mov.u32 %0, 5; @!p add.u32 %0, %0, 2; @p add.u32 %0, %0, 4; }",
       u32, u32, u32, a < b ? 9 : 7);

BINARY(set_lt_u32_s32, "set.lt.u32.s32 %0, %1, %2;", u32, s32, s32, a < b ? ~0u : 0);
BINARY(set_ge_f32_u32, "set.ge.f32.u32 %0, %1, %2;", f32, u32, u32, a >= b ? 1.0f : 0.0f);
BINARY(set_eq_s32_f32, "set.eq.s32.f32 %0, %1, %2;", s32, f32, f32, a == b ? -1 : 0);
BINARY(set_gtu_f32_f64, "set.gtu.f32.f64 %0, %1, %2;", f32, f64, f64, a <= b ? 0.0f : 1.0f);
BINARY(set_lt_ftz_u32_f32, "set.lt.ftz.u32.f32 %0, %1, %2;", u32, f32, f32, flush(a) < flush(b) ? ~0u : 0);
TERNARY(set_and_u32_u32, "{ .reg .pred c; setp.ne.u32 c, %3, 0; set.ne.and.u32.u32 %0, %1, %2, c; }", u32,
        u32, u32, u32, a != b && c != 0 ? ~0u : 0);
TERNARY(selp_b16, "{ .reg .pred p; setp.ne.u32 p, %3, 0; selp.b16 %0, %1, %2, p; }", u16, u16, u16, u32,
        c != 0 ? a : b);
TERNARY(selp_f64, "{ .reg .pred p; setp.ne.u32 p, %3, 0; selp.f64 %0, %1, %2, p; }", u64, u64, u64, u32,
        c != 0 ? a : b);
TERNARY(slct_u32_s32, "slct.u32.s32 %0, %1, %2, %3;", u32, u32, u32, s32, c >= 0 ? a : b);
TERNARY(slct_b64_s32, "slct.b64.s32 %0, %1, %2, %3;", u64, u64, u64, s32, c >= 0 ? a : b);
TERNARY(slct_f32_f32, "slct.f32.f32 %0, %1, %2, %3;", f32, f32, f32, f32, c >= 0 ? a : b);
TERNARY(slct_ftz_u32_f32, "slct.ftz.u32.f32 %0, %1, %2, %3;", u32, u32, u32, f32, flush(c) >= 0 ? a : b);

SUITE_MAIN
