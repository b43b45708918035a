// Logic, shifts, bit fields, bytes.
#include "table.h"
using namespace suite;

#define BOTH(OP, NAME, T, EXPR) BINARY(NAME, OP " %0, %1, %2;", T, T, T, EXPR)

BOTH("and.b16", and_b16, u16, a& b);
BOTH("and.b32", and_b32, u32, a& b);
BOTH("and.b64", and_b64, u64, a& b);
BOTH("or.b16", or_b16, u16, a | b);
BOTH("or.b32", or_b32, u32, a | b);
BOTH("or.b64", or_b64, u64, a | b);
BOTH("xor.b16", xor_b16, u16, a ^ b);
BOTH("xor.b32", xor_b32, u32, a ^ b);
BOTH("xor.b64", xor_b64, u64, a ^ b);
UNARY(not_b16, "not.b16 %0, %1;", u16, u16, ~a);
UNARY(not_b32, "not.b32 %0, %1;", u32, u32, ~a);
UNARY(not_b64, "not.b64 %0, %1;", u64, u64, ~a);
UNARY(cnot_b16, "cnot.b16 %0, %1;", u16, u16, a == 0);
UNARY(cnot_b32, "cnot.b32 %0, %1;", u32, u32, a == 0);
UNARY(cnot_b64, "cnot.b64 %0, %1;", u64, u64, a == 0);
#define LOGIC3(NAME, TABLE, EXPR) \
  TERNARY(NAME, "lop3.b32 %0, %1, %2, %3, " #TABLE ";", u32, u32, u32, u32, EXPR)
LOGIC3(lop3_and_or, 0xf8, a | (b & c));
LOGIC3(lop3_parity, 0x96, a ^ b ^ c);
LOGIC3(lop3_majority, 0xe8, (a & b) | (a & c) | (b & c));
LOGIC3(lop3_choice, 0xca, (a & b) | (~a & c));
LOGIC3(lop3_ones, 0xff, ~0u);
TERNARY(
    lop3_with_predicate,
    "{ .reg .pred p; .reg .pred q; .reg .b32 t; setp.ne.u32 q, %1, 0; lop3.or.b32 t|p, %1, %2, %3, 0x80, q; "
    "selp.u32 %0, 1, 0, p; }",
    u32, u32, u32, u32, (a & b & c) != 0 || a != 0);

#define SHIFT(NAME, OP, T, EXPR) BINARY_IN(NAME, OP " %0, %1, %2;", T, T, u32, pool<T>(), counts(), EXPR)
SHIFT(shl_b16, "shl.b16", u16, b >= 16 ? 0 : a << b);
SHIFT(shl_b32, "shl.b32", u32, b >= 32 ? 0 : a << b);
SHIFT(shl_b64, "shl.b64", u64, b >= 64 ? 0 : a << b);
SHIFT(shr_u16, "shr.u16", u16, b >= 16 ? 0 : a >> b);
SHIFT(shr_s16, "shr.s16", s16, a >> std::min(b, 15u));
SHIFT(shr_u32, "shr.u32", u32, b >= 32 ? 0 : a >> b);
SHIFT(shr_s32, "shr.s32", s32, a >> std::min(b, 31u));
SHIFT(shr_u64, "shr.u64", u64, b >= 64 ? 0 : a >> b);
SHIFT(shr_s64, "shr.s64", s64, a >> std::min(b, 63u));
SHIFT(shr_b32, "shr.b32", u32, b >= 32 ? 0 : a >> b);
#define FUNNEL(NAME, OP, EXPR) \
  TERNARY_IN(NAME, OP " %0, %1, %2, %3;", u32, u32, u32, u32, pool<u32>(), pool<u32>(), counts(), EXPR)
FUNNEL(shf_l_wrap, "shf.l.wrap.b32", (u64{b} << 32 | a) << (c & 31) >> 32);
FUNNEL(shf_l_clamp, "shf.l.clamp.b32", c >= 32 ? a : (u64{b} << 32 | a) << c >> 32);
FUNNEL(shf_r_wrap, "shf.r.wrap.b32", (u64{b} << 32 | a) >> (c & 31));
FUNNEL(shf_r_clamp, "shf.r.clamp.b32", c >= 32 ? b : (u64{b} << 32 | a) >> c);

// Positions and lengths of fields are defined up to 255.
inline std::vector<u64> places() {
  return {0, 1, 5, 8, 15, 16, 24, 31, 32, 33, 48, 63, 64, 65, 100, 255};
}
// As the ISA words it: positions beyond the top give the sign (or zero), length 0 gives 0.
template <class T>
u64 extract(T a, u32 b, u32 c) {
  const int top = 8 * sizeof(T) - 1, at = static_cast<int>(b & 255u), length = static_cast<int>(c & 255u);
  const bool is_signed = std::is_signed<T>::value;
  const auto bit = [&](int k) { return (static_cast<u64>(a) >> k & 1u) != 0; };
  const bool sign = is_signed && length != 0 && bit(std::min(at + length - 1, top));
  u64 d = 0;
  for (int i = 0; i <= top; ++i) {
    const bool value = i < length && at + i <= top ? bit(at + i) : sign;
    d |= static_cast<u64>(value) << i;
  }
  return d;
}
template <class T>
u64 insert(T a, T b, u32 c, u32 d) {
  const int top = 8 * sizeof(T) - 1, at = static_cast<int>(c & 255u), length = static_cast<int>(d & 255u);
  u64 f = b;
  for (int i = 0; i < length && at + i <= top; ++i) {
    f &= ~(1ull << (at + i));
    f |= (static_cast<u64>(a) >> i & 1u) << (at + i);
  }
  return f;
}
#define FIELD(NAME, OP, T) \
  TERNARY_IN(NAME, OP " %0, %1, %2, %3;", T, T, u32, u32, pool<T>(), places(), places(), extract<T>(a, b, c))
FIELD(bfe_u32, "bfe.u32", u32);
FIELD(bfe_s32, "bfe.s32", s32);
FIELD(bfe_u64, "bfe.u64", u64);
FIELD(bfe_s64, "bfe.s64", s64);
TERNARY_IN(bfi_b32, "bfi.b32 %0, %1, %1, %2, %3;", u32, u32, u32, u32, pool<u32>(), places(), places(),
           insert<u32>(a, a, b, c));
TERNARY_IN(bfi_b32_into, "bfi.b32 %0, %1, %2, %3, 9;", u32, u32, u32, u32, pool<u32>(), pool<u32>(), places(),
           insert<u32>(a, b, c, 9));
TERNARY_IN(bfi_b64, "bfi.b64 %0, %1, -1, %2, %3;", u64, u64, u32, u32, pool<u64>(), places(), places(),
           insert<u64>(a, ~0ull, b, c));

template <class T>
int highest(T x) {
  for (int k = 8 * sizeof(T) - 1; k >= 0; --k)
    if ((static_cast<u64>(x) >> k & 1u) != 0) return k;
  return -1;
}
UNARY(bfind_u32, "bfind.u32 %0, %1;", u32, u32, highest<u32>(a));
UNARY(bfind_s32, "bfind.s32 %0, %1;", u32, s32, highest<u32>(a < 0 ? ~a : a));
UNARY(bfind_u64, "bfind.u64 %0, %1;", u32, u64, highest<u64>(a));
UNARY(bfind_s64, "bfind.s64 %0, %1;", u32, s64, highest<u64>(a < 0 ? ~a : a));
UNARY(bfind_shiftamt_u32, "bfind.shiftamt.u32 %0, %1;", u32, u32, a == 0 ? ~0u : 31 - highest<u32>(a));
UNARY(bfind_shiftamt_s64, "bfind.shiftamt.s64 %0, %1;", u32, s64,
      (a < 0 ? ~a : a) == 0 ? ~0u : 63 - highest<u64>(a < 0 ? ~a : a));
UNARY(clz_b32, "clz.b32 %0, %1;", u32, u32, 31 - highest<u32>(a));
UNARY(clz_b64, "clz.b64 %0, %1;", u32, u64, 63 - highest<u64>(a));
UNARY(popc_b32, "popc.b32 %0, %1;", u32, u32, __builtin_popcount(a));
UNARY(popc_b64, "popc.b64 %0, %1;", u32, u64, __builtin_popcountll(a));
template <class T>
T reversed(T a) {
  T r = 0;
  for (unsigned k = 0; k < 8 * sizeof(T); ++k) r = r << 1 | (a >> k & 1u);
  return r;
}
UNARY(brev_b32, "brev.b32 %0, %1;", u32, u32, reversed(a));
UNARY(brev_b64, "brev.b64 %0, %1;", u64, u64, reversed(a));

// Bit number `base`, then the offset-th set bit from there, upwards or downwards; the ISA's own definition.
u32 nth_set(u32 mask, u32 base, s32 offset) {
  if (offset == 0) return (mask >> base & 1u) != 0 ? base : ~0u;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset - 1 : -offset - 1;
  for (int pos = static_cast<int>(base); pos >= 0 && pos < 32; pos += step)
    if ((mask >> pos & 1u) != 0 && left-- == 0) return static_cast<u32>(pos);
  return ~0u;
}
TERNARY_IN(fns_b32, "fns.b32 %0, %1, %2, %3;", u32, u32, u32, s32, pool<u32>(),
           (std::vector<u64>{0, 1, 5, 16, 30, 31}),
           (std::vector<u64>{0, 1, 2, 3, 9, 31, 32, 0xffffffff, 0xfffffffe, 0xfffffff0}), nth_set(a, b, c));
#define BITMASK(NAME, OP, EXPR) BINARY_IN(NAME, OP " %0, %1, %2;", u32, u32, u32, counts(), counts(), EXPR)
BITMASK(bmsk_clamp, "bmsk.clamp.b32",
        a >= 32 || b == 0 ? 0 : u64(std::min(b, 32u) == 32 ? ~0u : (1u << b) - 1) << a);
BITMASK(bmsk_wrap, "bmsk.wrap.b32", u64((1u << (b & 31)) - 1) << (a & 31));
template <class T>
T extended(T a, u32 bits) {  // from the low `bits` bits
  if (bits == 0) return 0;
  if (bits >= 32) return a;
  const u32 low = static_cast<u32>(a) & ((1u << bits) - 1);
  const bool sign = std::is_signed<T>::value && (low >> (bits - 1) & 1u) != 0;
  return static_cast<T>(sign ? low | ~((1u << bits) - 1) : low);
}
#define EXTEND(NAME, OP, T, EXPR) BINARY_IN(NAME, OP " %0, %1, %2;", T, T, u32, pool<T>(), counts(), EXPR)
EXTEND(szext_wrap_u32, "szext.wrap.u32", u32, extended<u32>(a, b & 31));
EXTEND(szext_wrap_s32, "szext.wrap.s32", s32, extended<s32>(a, b & 31));
EXTEND(szext_clamp_u32, "szext.clamp.u32", u32, extended<u32>(a, b));
EXTEND(szext_clamp_s32, "szext.clamp.s32", s32, extended<s32>(a, b));

u32 picked(u32 a, u32 b, const int (&bytes)[4]) {
  u32 d = 0;
  for (int k = 0; k < 4; ++k) d |= static_cast<u32>((u64{b} << 32 | a) >> 8 * bytes[k] & 255u) << 8 * k;
  return d;
}
u32 permuted(u32 a, u32 b, u32 c) {
  u32 d = 0;
  for (int k = 0; k < 4; ++k) {
    const u32 nibble = c >> 4 * k & 15u;
    u32 byte = static_cast<u32>((u64{b} << 32 | a) >> 8 * (nibble & 7u) & 255u);
    if ((nibble & 8u) != 0) byte = (byte & 128u) != 0 ? 255u : 0u;
    d |= byte << 8 * k;
  }
  return d;
}
TERNARY(prmt_b32, "prmt.b32 %0, %1, %2, %3;", u32, u32, u32, u32, permuted(a, b, c));
#define PICK(NAME, MODE, I0, I1, I2, I3) \
  TERNARY(NAME, "prmt.b32." MODE " %0, %1, %2, %3;", u32, u32, u32, u32, picked(a, b, {I0, I1, I2, I3}))
#define N static_cast<int>(c & 3u)
PICK(prmt_f4e, "f4e", N, N + 1, N + 2, N + 3);
PICK(prmt_b4e, "b4e", N, (N + 7) & 7, (N + 6) & 7, (N + 5) & 7);
PICK(prmt_rc8, "rc8", N, N, N, N);
PICK(prmt_ecl, "ecl", N, std::max(1, N), std::max(2, N), 3);
PICK(prmt_ecr, "ecr", 0, std::min(1, N), std::min(2, N), N);
PICK(prmt_rc16, "rc16", (N & 1) * 2, (N & 1) * 2 + 1, (N & 1) * 2, (N & 1) * 2 + 1);
#undef N

// Packing and unpacking, and the pieces of a wide register.
BINARY(mov_pack_b32, "mov.b32 %0, {%1, %2};", u32, u16, u16, u32{a} | u32{b} << 16);
BINARY(mov_pack_b64, "mov.b64 %0, {%1, %2};", u64, u32, u32, u64{a} | u64{b} << 32);
UNARY(mov_unpack_b32, "{ .reg .b16 x; mov.b32 {x, %0}, %1; }", u16, u32, a >> 16);
UNARY(mov_unpack_b64, "{ .reg .b32 x; mov.b64 {%0, x}, %1; }", u32, u64, a);
UNARY(mov_bytes, "{ .reg .b16 x; .reg .b16 y; mov.b64 {x, y, x, %0}, %1; }", u16, u64, a >> 48);
UNARY(mov_float_bits, "mov.b32 %0, %1;", u32, f32, to_bits(a));
BINARY(mov_predicate,
       "{ .reg .pred p; .reg .pred q; setp.lt.u32 p, %1, %2; mov.pred q, p; selp.u32 %0, 7, 9, q; }", u32,
       u32, u32, a < b ? 7 : 9);
BINARY(predicate_logic,
       "{ .reg .pred p; .reg .pred q; .reg .pred r; setp.lt.u32 p, %1, %2; setp.gt.u32 q, %1, 100; not.pred "
       "r, q; "
       "and.pred r, r, p; xor.pred p, p, q; or.pred r, r, p; selp.u32 %0, 1, 0, r; }",
       u32, u32, u32, (!(a > 100) && a < b) || ((a < b) != (a > 100)));

SUITE_MAIN
