// Small floating-point functions shared by exec_float.cpp, exec_half.cpp and exec_convert.cpp.
#pragma once

#include "sim/exec_common.h"

namespace workbook::sim::WORKBOOK_EXEC {

inline constexpr float canonical_nan = std::bit_cast<float>(0x7fffffffu);

// A NaN result of f32 has one pattern; f64 keeps payloads.
[[gnu::always_inline]] inline float canonical(float v) {
  return v != v ? canonical_nan : v;
}
[[gnu::always_inline]] inline double canonical(double v) {
  return v;
}

// A subnormal becomes zero of its sign.
[[gnu::always_inline]] inline float flush(float v) {
  const u32 bits = std::bit_cast<u32>(v);
  return (bits & 0x7f800000u) == 0 ? std::bit_cast<float>(bits & 0x80000000u) : v;
}
[[gnu::always_inline]] inline double flush(double v) {
  return v;
}

// To [0, 1]; NaN becomes 0.
template <class T>
[[gnu::always_inline]] inline T saturate(T v) {
  return v > T{0} ? (v < T{1} ? v : T{1}) : T{0};
}

// NaN loses against a number, and -0 is smaller than +0.
template <class T>
[[gnu::always_inline]] inline T minimum(T a, T b) {
  const bool a_negative = static_cast<std::make_signed_t<Storage<T>>>(std::bit_cast<Storage<T>>(a)) < 0;
  return a != a ? b : b != b ? a : a == b ? (a_negative ? a : b) : a < b ? a : b;
}
template <class T>
[[gnu::always_inline]] inline T maximum(T a, T b) {
  const bool a_negative = static_cast<std::make_signed_t<Storage<T>>>(std::bit_cast<Storage<T>>(a)) < 0;
  return a != a ? b : b != b ? a : a == b ? (a_negative ? b : a) : a > b ? a : b;
}

template <class X, class Y>
u32 compare_floats(Compare how, X x, Y y) {
  switch (how) {
    case Compare::eq:
      return ballot([&](int l) { return x(l) == y(l); });
    case Compare::ne:
      return ballot([&](int l) { return (x(l) < y(l)) | (x(l) > y(l)); });
    case Compare::lt:
      return ballot([&](int l) { return x(l) < y(l); });
    case Compare::le:
      return ballot([&](int l) { return x(l) <= y(l); });
    case Compare::gt:
      return ballot([&](int l) { return x(l) > y(l); });
    case Compare::ge:
      return ballot([&](int l) { return x(l) >= y(l); });
    case Compare::equ:
      return ballot([&](int l) { return !((x(l) < y(l)) | (x(l) > y(l))); });
    case Compare::neu:
      return ballot([&](int l) { return x(l) != y(l); });
    case Compare::ltu:
      return ballot([&](int l) { return !(x(l) >= y(l)); });
    case Compare::leu:
      return ballot([&](int l) { return !(x(l) > y(l)); });
    case Compare::gtu:
      return ballot([&](int l) { return !(x(l) <= y(l)); });
    case Compare::geu:
      return ballot([&](int l) { return !(x(l) < y(l)); });
    case Compare::num:
      return ballot([&](int l) { return (x(l) == x(l)) & (y(l) == y(l)); });
    case Compare::nan:
      return ballot([&](int l) { return (x(l) != x(l)) | (y(l) != y(l)); });
    default:
      return 0;
  }
}

// f16 and bf16 by way of float. Widening is exact; narrowing rounds to nearest even, or toward zero.
inline float from_half(u16 h) {
  const u32 sign = static_cast<u32>(h & 0x8000u) << 16, exponent = h >> 10 & 31u, fraction = h & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float small = static_cast<float>(fraction) * 0x1p-24f;
  return std::bit_cast<float>(std::bit_cast<u32>(small) | sign);
}
// From double, so that a value computed exactly there is rounded once.
inline u16 to_small_float(double v, int exponent_bits, int fraction_bits, ptx::Rounding rounding) {
  const u64 bits = std::bit_cast<u64>(v);
  const u16 sign = static_cast<u16>(bits >> 63 << 15);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const u16 infinity = static_cast<u16>(((1 << exponent_bits) - 1) << fraction_bits);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  if (exponent == 1024) return (bits << 12) != 0 ? 0x7fff : static_cast<u16>(sign | infinity);
  u64 fraction = (bits & 0xfffffffffffffull) | 1ull << 52;
  if ((bits & 0x7fffffffffffffffull) == 0 || exponent == -1023) return sign;
  int drop = 52 - fraction_bits, biased = exponent + bias;
  if (biased < 1) {
    drop += 1 - biased;
    biased = 0;
  }
  if (drop > 54) drop = 54;
  u64 kept = fraction >> drop;
  const u64 rest = fraction & ((1ull << drop) - 1), half = 1ull << (drop - 1);
  bool up = rest > half || (rest == half && (kept & 1) != 0);
  if (rounding == ptx::Rounding::rz) up = false;
  if (rounding == ptx::Rounding::rm) up = sign != 0 && rest != 0;
  if (rounding == ptx::Rounding::rp) up = sign == 0 && rest != 0;
  if (rounding == ptx::Rounding::rna) up = rest >= half;
  kept += up ? 1 : 0;
  // The hidden one adds to the exponent field, and so does a carry.
  const u64 result = biased == 0 ? kept : (static_cast<u64>(biased - 1) << fraction_bits) + kept;
  const bool to_largest = rounding == ptx::Rounding::rz || (rounding == ptx::Rounding::rm && sign == 0) ||
                          (rounding == ptx::Rounding::rp && sign != 0);
  if (result >= infinity) return static_cast<u16>(sign | (to_largest ? infinity - 1 : infinity));
  return static_cast<u16>(sign | result);
}
inline u16 to_half(double v, ptx::Rounding r = ptx::Rounding::rn) {
  return to_small_float(v, 5, 10, r);
}
inline float from_bfloat(u16 h) {
  return std::bit_cast<float>(static_cast<u32>(h) << 16);
}
inline u16 to_bfloat(double v, ptx::Rounding r = ptx::Rounding::rn) {
  return to_small_float(v, 8, 7, r);
}

}  // namespace workbook::sim::WORKBOOK_EXEC
