// Telling values of every operand type, and exact arithmetic on the host that expectations are made of.
#pragma once

#include <algorithm>

#include "suite.h"

namespace suite {

inline std::vector<u64> noise(size_t count, u64 seed) {
  return make(count, [&](size_t) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    u64 x = seed;
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdull;
    return x ^ x >> 29;
  });
}

template <class T>
std::vector<u64> integer_pool() {
  using U = typename std::make_unsigned<T>::type;
  const U top = static_cast<U>(U{1} << (8 * sizeof(T) - 1));
  std::vector<U> v{0,
                   1,
                   2,
                   3,
                   7,
                   8,
                   31,
                   32,
                   33,
                   64,
                   100,
                   static_cast<U>(-1),
                   static_cast<U>(-2),
                   static_cast<U>(-7),
                   top,
                   static_cast<U>(top + 1),
                   static_cast<U>(top - 1),
                   static_cast<U>(0x5555555555555555ull),
                   static_cast<U>(0xaaaaaaaaaaaaaaaaull),
                   static_cast<U>(0x123456789abcdef0ull),
                   static_cast<U>(0xffff),
                   static_cast<U>(0x8000)};
  for (const u64 r : noise(14, sizeof(T))) v.push_back(static_cast<U>(r >> 5));
  std::vector<u64> bits;
  for (const U x : v) bits.push_back(x);
  return bits;
}

template <class T>
std::vector<u64> pool() {
  return integer_pool<T>();
}
template <>
inline std::vector<u64> pool<f32>() {
  std::vector<u64> v{0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x80000001,
                     0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x7f7fffff,
                     0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
                     0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x40490fdb, 0x4b800001,
                     0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x5f800000, 0x3eaaaaab,
                     0x3f800001, 0x3f7fffff, 0x33800000, 0x42f6e979, 0xc640e400, 0x00400000};
  for (const u64 r : noise(10, 32)) v.push_back(static_cast<u32>(r >> 9));
  return v;
}
template <>
inline std::vector<u64> pool<f64>() {
  std::vector<u64> v{
      0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x0000000000000001,
      0x800fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000,
      0xfff0000000000000, 0x7ff8000000000000, 0xfff8000012345678, 0x7ff0000000000001, 0x3fe0000000000000,
      0x3ff8000000000000, 0x4004000000000000, 0xc004000000000000, 0x400921fb54442d18, 0x41e0000000000000,
      0x41efffffffe00000, 0x43e0000000000000, 0x43f0000000000000, 0x3fd5555555555555, 0x3ff0000000000001,
      0x3ca0000000000000, 0x47efffffe0000000, 0x47f0000000000000, 0x36a0000000000000, 0x380fffffc0000000,
      0x40effc0000000000, 0x40f0040000000000, 0x3e70000000000000, 0x4170000010000000};
  for (const u64 r : noise(10, 64)) v.push_back(r);
  for (const u64 r : noise(6, 65)) v.push_back((r >> 12) | 0x4000000000000000ull);
  return v;
}
inline std::vector<u64> small_float_pool(u64 infinity, u64 seed) {
  std::vector<u64> v{0x0000,
                     0x8000,
                     0x0001,
                     0x8001,
                     0x007f,
                     0x03ff,
                     0x0080,
                     0x0400,
                     0x8400,
                     infinity,
                     infinity | 0x8000,
                     infinity - 1,
                     (infinity - 1) | 0x8000,
                     0x7fff,
                     0xffff,
                     infinity | 1,
                     0x3c00,
                     0x3f80,
                     0xbf80,
                     0xbc00,
                     0x3e00,
                     0x4200,
                     0x3555,
                     0x3eab};
  for (const u64 r : noise(16, seed)) v.push_back((r >> 7) & 0xffff);
  return v;
}
template <>
inline std::vector<u64> pool<f16>() {
  return small_float_pool(0x7c00, 16);
}
template <>
inline std::vector<u64> pool<bf16>() {
  return small_float_pool(0x7f80, 17);
}
inline std::vector<u64> pairs_of(const std::vector<u64>& one) {
  std::vector<u64> v;
  for (size_t i = 0; i < one.size(); ++i) v.push_back(one[i] | one[(i * 7 + 3) % one.size()] << 16);
  return v;
}
template <>
inline std::vector<u64> pool<f16x2>() {
  return pairs_of(pool<f16>());
}
template <>
inline std::vector<u64> pool<bf16x2>() {
  return pairs_of(pool<bf16>());
}
template <>
inline std::vector<u64> pool<b8u>() {
  return integer_pool<u32>();
}
template <>
inline std::vector<u64> pool<b8s>() {
  return integer_pool<u32>();
}
// Finite values of moderate size, for approximations.
inline std::vector<u64> floats_between(double low, double high) {
  std::vector<u64> v;
  for (int i = 0; i <= 400; ++i) v.push_back(to_bits(static_cast<f32>(low + (high - low) * i / 400)));
  for (const u64 r : noise(400, 77))
    v.push_back(to_bits(static_cast<f32>(low + (high - low) * static_cast<double>(r >> 11) * 0x1p-53)));
  return v;
}
inline std::vector<u64> counts() {
  return {0, 1, 5, 8, 15, 16, 31, 32, 33, 63, 64, 65, 255, 256, 0x80000001ull, 0xffffffffull};
}
inline std::vector<u64> nothing() {
  return {0};
}

// A value that the compiler must fetch anew: keeps arithmetic between two changes of the rounding mode there.
template <class T>
T v(T x) {
  volatile T copy = x;
  return copy;
}
template <class F>
auto directed(int mode, F f) {
  std::fesetround(mode);
  volatile auto result = f();
  std::fesetround(FE_TONEAREST);
  auto copy = result;
  return copy;
}

// f32 results: every NaN is 0x7fffffff; ftz; sat.
inline f32 nan32(f32 x) {
  return x != x ? from_bits<f32>(0x7fffffff) : x;
}
inline f32 flush(f32 x) {
  const u32 bits = static_cast<u32>(to_bits(x));
  return (bits & 0x7f800000u) == 0 ? from_bits<f32>(bits & 0x80000000u) : x;
}
inline f32 clamp01(f32 x) {
  return x != x || x <= 0 ? 0.0f : x > 1 ? 1.0f : x;
}

// The 16-bit formats as tables of their values: rounding is a search.
class SmallFormat {
 public:
  SmallFormat(int exponent_bits, int fraction_bits) {
    infinity_ = ((1u << exponent_bits) - 1) << fraction_bits;
    for (u32 bits = 0; bits <= infinity_; ++bits) {
      const u32 e = bits >> fraction_bits, f = bits & ((1u << fraction_bits) - 1);
      const int bias = (1 << (exponent_bits - 1)) - 1;
      magnitude_.push_back(e == 0 ? std::ldexp(static_cast<double>(f), 1 - bias - fraction_bits)
                                  : std::ldexp(static_cast<double>(f | 1u << fraction_bits),
                                               static_cast<int>(e) - bias - fraction_bits));
    }
    // Infinity's place in the row is one step beyond the largest number: where rounding to nearest turns.
  }
  u32 infinity() const { return infinity_; }
  bool is_nan(u32 bits) const { return (bits & 0x7fffu) > infinity_; }
  long double value(u32 bits) const {
    const u32 m = bits & 0x7fffu;
    const double size = m > infinity_ ? std::nan("") : m == infinity_ ? HUGE_VAL : magnitude_[m];
    return (bits & 0x8000u) != 0 ? -size : size;
  }
  // mode: FE_TONEAREST and its kind. NaN is 0x7fff.
  u32 round(long double x, int mode = FE_TONEAREST) const {
    if (x != x) return 0x7fff;
    const u32 sign = std::signbit(x) ? 0x8000u : 0;
    const long double size = x < 0 ? -x : x;
    if (std::isinf(size)) return sign | infinity_;
    u32 low = 0, high = infinity_;  // the last one that is not greater
    while (high - low > 1) {
      const u32 mid = (low + high) / 2;
      (static_cast<long double>(magnitude_[mid]) <= size ? low : high) = mid;
    }
    if (size == static_cast<long double>(magnitude_[low])) return sign | low;
    if (size >= static_cast<long double>(magnitude_[infinity_])) low = infinity_ - 1;
    const long double below = size - magnitude_[low], above = magnitude_[low + 1] - size;
    bool up = below > above || (below == above && (low & 1u) != 0);
    if (mode == FE_TOWARDZERO) up = false;
    if (mode == FE_UPWARD) up = sign == 0;
    if (mode == FE_DOWNWARD) up = sign != 0;
    return sign | (low + (up ? 1 : 0));
  }

 private:
  u32 infinity_;
  std::vector<double> magnitude_;
};
inline const SmallFormat& half_format() {
  static const SmallFormat format(5, 10);
  return format;
}
inline const SmallFormat& bfloat_format() {
  static const SmallFormat format(8, 7);
  return format;
}
inline long double from_half(u32 bits) {
  return half_format().value(bits & 0xffffu);
}
inline long double from_bfloat(u32 bits) {
  return bfloat_format().value(bits & 0xffffu);
}
inline u32 to_half(long double x, int mode = FE_TONEAREST) {
  return half_format().round(x, mode);
}
inline u32 to_bfloat(long double x, int mode = FE_TONEAREST) {
  return bfloat_format().round(x, mode);
}

}  // namespace suite
