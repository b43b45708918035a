// cvt: between all types, with every rounding, saturation and flush.
#include "table.h"
using namespace suite;
__extension__ typedef __int128 s128;

#define CVT(NAME, WORD, D, A, EXPR) UNARY(NAME, WORD " %0, %1;", D, A, EXPR)

// Integers: the low bits, extended to the register; .sat clamps.
template <class T>
struct Narrow {  // the C++ type of the value, for types whose register is wider
  using type = T;
};
template <>
struct Narrow<b8u> {
  using type = u8;
};
template <>
struct Narrow<b8s> {
  using type = s8;
};
template <class T>
using narrow = typename Narrow<T>::type;
template <class D>
narrow<D> clamped(s128 x) {
  using L = std::numeric_limits<narrow<D>>;
  return static_cast<narrow<D>>(std::min<s128>(std::max<s128>(x, L::min()), L::max()));
}
#define PLAIN(DN, D, AN, A) \
  CVT(cvt_##DN##_##AN, "cvt." #DN "." #AN, D, A, static_cast<narrow<D>>(static_cast<narrow<A>>(a)))
#define INTEGERS(DN, D, AN, A) \
  PLAIN(DN, D, AN, A);         \
  CVT(cvt_sat_##DN##_##AN, "cvt.sat." #DN "." #AN, D, A, clamped<D>(static_cast<narrow<A>>(a)))
INTEGERS(u8, b8u, s32, s32);
INTEGERS(u8, b8u, u16, u16);
INTEGERS(s8, b8s, u32, u32);
INTEGERS(s8, b8s, s64, s64);
INTEGERS(u16, u16, s32, s32);
INTEGERS(u16, u16, s8, b8s);
INTEGERS(s16, s16, u64, u64);
INTEGERS(s16, s16, s32, s32);
INTEGERS(u32, u32, s8, b8s);
INTEGERS(u32, u32, s64, s64);
INTEGERS(u32, u32, s16, s16);
PLAIN(s32, s32, u8, b8u);
INTEGERS(s32, s32, u64, u64);
PLAIN(s32, s32, u16, u16);
INTEGERS(u64, u64, s32, s32);
INTEGERS(u64, u64, s8, b8s);
PLAIN(s64, s64, u32, u32);
PLAIN(s64, s64, s16, s16);
CVT(cvt_u64_u32, "cvt.u64.u32", u64, u32, a);
CVT(cvt_s64_s32, "cvt.s64.s32", s64, s32, a);
CVT(cvt_u32_u64, "cvt.u32.u64", u32, u64, a);
CVT(cvt_u16_u32, "cvt.u16.u32", u16, u32, a);
CVT(cvt_s32_s8, "cvt.s32.s8", s32, b8s, static_cast<s8>(a));
CVT(cvt_sat_u8_u32, "cvt.sat.u8.u32", b8u, u32, std::min(a, 255u));

// Floats to integers: rounded, then clamped; a NaN gives 0, or the top bit alone where 64 bits take part.
inline long double rounded(long double x, int mode) {
  if (std::isinf(x) || x != x) return x;
  switch (mode) {
    case FE_TOWARDZERO:
      return std::trunc(x);
    case FE_DOWNWARD:
      return std::floor(x);
    case FE_UPWARD:
      return std::ceil(x);
    default:
      return std::nearbyint(x);
  }
}
template <class D>
narrow<D> to_integer(long double x, int mode, bool wide_source) {
  using T = narrow<D>;
  if (x != x) return wide_source || sizeof(T) == 8 ? static_cast<T>(1ull << (8 * sizeof(T) - 1)) : T{0};
  x = rounded(x, mode);
  if (x <= static_cast<long double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (x >= static_cast<long double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(x);
}
#define FROM_FLOAT(DN, D)                                                                         \
  CVT(cvt_rzi_##DN##_f32, "cvt.rzi." #DN ".f32", D, f32, to_integer<D>(a, FE_TOWARDZERO, false)); \
  CVT(cvt_rni_##DN##_f64, "cvt.rni." #DN ".f64", D, f64, to_integer<D>(a, FE_TONEAREST, true));   \
  CVT(cvt_rmi_##DN##_f16, "cvt.rmi." #DN ".f16", D, f16, to_integer<D>(from_half(a), FE_DOWNWARD, false))
FROM_FLOAT(u16, u16);
FROM_FLOAT(s16, s16);
FROM_FLOAT(u32, u32);
FROM_FLOAT(s32, s32);
FROM_FLOAT(u64, u64);
FROM_FLOAT(s64, s64);
CVT(cvt_rni_s32_f32, "cvt.rni.s32.f32", s32, f32, to_integer<s32>(a, FE_TONEAREST, false));
CVT(cvt_rmi_s32_f32, "cvt.rmi.s32.f32", s32, f32, to_integer<s32>(a, FE_DOWNWARD, false));
CVT(cvt_rpi_s32_f32, "cvt.rpi.s32.f32", s32, f32, to_integer<s32>(a, FE_UPWARD, false));
CVT(cvt_rzi_ftz_u32_f32, "cvt.rpi.ftz.u32.f32", u32, f32, to_integer<u32>(flush(a), FE_UPWARD, false));
CVT(cvt_rmi_s64_f64, "cvt.rmi.s64.f64", s64, f64, to_integer<s64>(a, FE_DOWNWARD, true));
CVT(cvt_rpi_u64_f64, "cvt.rpi.u64.f64", u64, f64, to_integer<u64>(a, FE_UPWARD, true));
CVT(cvt_rzi_s8_f32, "cvt.rzi.s8.f32", b8s, f32, to_integer<b8s>(a, FE_TOWARDZERO, false));
CVT(cvt_rzi_u8_f32, "cvt.rzi.u8.f32", b8u, f32, to_integer<b8u>(a, FE_TOWARDZERO, false));

// Integers to floats, in every direction.
#define TO_FLOAT(AN, A)                                                 \
  CVT(cvt_rn_f32_##AN, "cvt.rn.f32." #AN, f32, A,                       \
      directed(FE_TONEAREST, [&] { return static_cast<f32>(v(a)); }));  \
  CVT(cvt_rz_f32_##AN, "cvt.rz.f32." #AN, f32, A,                       \
      directed(FE_TOWARDZERO, [&] { return static_cast<f32>(v(a)); })); \
  CVT(cvt_rm_f64_##AN, "cvt.rm.f64." #AN, f64, A,                       \
      directed(FE_DOWNWARD, [&] { return static_cast<f64>(v(a)); }));   \
  CVT(cvt_rn_f16_##AN, "cvt.rn.f16." #AN, f16, A, to_half(a))
TO_FLOAT(u32, u32);
TO_FLOAT(s32, s32);
TO_FLOAT(u64, u64);
TO_FLOAT(s64, s64);
CVT(cvt_rm_f32_s32, "cvt.rm.f32.s32", f32, s32,
    directed(FE_DOWNWARD, [&] { return static_cast<f32>(v(a)); }));
CVT(cvt_rp_f32_u64, "cvt.rp.f32.u64", f32, u64, directed(FE_UPWARD, [&] { return static_cast<f32>(v(a)); }));
CVT(cvt_rn_f32_u8, "cvt.rn.f32.u8", f32, b8u, static_cast<u8>(a));
CVT(cvt_rn_f32_s16, "cvt.rn.f32.s16", f32, s16, a);
CVT(cvt_rn_f64_s64, "cvt.rn.f64.s64", f64, s64, a);
CVT(cvt_rp_f64_u64, "cvt.rp.f64.u64", f64, u64, directed(FE_UPWARD, [&] { return static_cast<f64>(v(a)); }));
CVT(cvt_rz_f16_s32, "cvt.rz.f16.s32", f16, s32, to_half(a, FE_TOWARDZERO));

// Between floats. A NaN of f64 keeps its sign and is made quiet; the payloads here have nothing else in their
// upper bits.
inline f32 narrowed_nan(f64 a) {
  return from_bits<f32>((to_bits(a) >> 32 & 0x80000000u) | 0x7fc00000u);
}
#define F32_OF_F64(M, MODE)                              \
  CVT(cvt_##M##_f32_f64, "cvt." #M ".f32.f64", f32, f64, \
      a != a ? narrowed_nan(a) : directed(MODE, [&] { return static_cast<f32>(v(a)); }))
F32_OF_F64(rn, FE_TONEAREST);
F32_OF_F64(rz, FE_TOWARDZERO);
F32_OF_F64(rm, FE_DOWNWARD);
F32_OF_F64(rp, FE_UPWARD);
CVT(cvt_rn_ftz_f32_f64, "cvt.rn.ftz.f32.f64", f32, f64,
    a != a ? narrowed_nan(a) : flush(static_cast<f32>(a)));
CVT(cvt_rn_sat_f32_f64, "cvt.rn.sat.f32.f64", f32, f64, clamp01(static_cast<f32>(a)));
CVT(cvt_f64_f32, "cvt.f64.f32", f64, f32, static_cast<f64>(a));
CVT(cvt_ftz_f64_f32, "cvt.ftz.f64.f32", f64, f32, static_cast<f64>(flush(a)));
#define INTEGRAL(M, MODE)                                                                     \
  CVT(cvt_##M##_f32_f32, "cvt." #M ".f32.f32", f32, f32,                                      \
      nan32(static_cast<f32>(std::copysign(rounded(a, MODE), static_cast<long double>(a))))); \
  CVT(cvt_##M##_f64_f64, "cvt." #M ".f64.f64", f64, f64,                                      \
      static_cast<f64>(std::copysign(rounded(a, MODE), static_cast<long double>(a))))
INTEGRAL(rni, FE_TONEAREST);
INTEGRAL(rzi, FE_TOWARDZERO);
INTEGRAL(rmi, FE_DOWNWARD);
INTEGRAL(rpi, FE_UPWARD);
CVT(cvt_rni_ftz_f32_f32, "cvt.rni.ftz.f32.f32", f32, f32,
    nan32(static_cast<f32>(std::copysign(rounded(flush(a), FE_TONEAREST), static_cast<long double>(a)))));
CVT(cvt_sat_f32_f32, "cvt.sat.f32.f32", f32, f32, clamp01(a));
CVT(cvt_ftz_f32_f32, "cvt.ftz.f32.f32", f32, f32, nan32(flush(a)));
CVT(cvt_sat_f64_f64, "cvt.sat.f64.f64", f64, f64, a != a || a <= 0 ? 0.0 : a > 1 ? 1.0 : a);
CVT(cvt_f32_f16, "cvt.f32.f16", f32, f16, nan32(static_cast<f32>(from_half(a))));
CVT(cvt_f64_f16, "cvt.f64.f16", f64, f16, static_cast<f64>(from_half(a)));
CVT(cvt_rn_f16_f32, "cvt.rn.f16.f32", f16, f32, to_half(a));
CVT(cvt_rz_f16_f32, "cvt.rz.f16.f32", f16, f32, to_half(a, FE_TOWARDZERO));
CVT(cvt_rm_f16_f32, "cvt.rm.f16.f32", f16, f32, to_half(a, FE_DOWNWARD));
CVT(cvt_rp_f16_f32, "cvt.rp.f16.f32", f16, f32, to_half(a, FE_UPWARD));
CVT(cvt_rn_f16_f64, "cvt.rn.f16.f64", f16, f64,
    a != a ? to_bits(narrowed_nan(a)) >> 16 & 0x8000u | 0x7e00u : to_half(a));
CVT(cvt_rn_ftz_f16_f32, "cvt.rn.ftz.f16.f32", f16, f32, to_half(flush(a)));
CVT(cvt_rn_sat_f16_f32, "cvt.rn.sat.f16.f32", f16, f32, to_half(clamp01(a)));
CVT(cvt_rni_f16_f16, "cvt.rni.f16.f16", f16, f16,
    to_half(std::copysign(rounded(from_half(a), FE_TONEAREST), from_half(a))));
CVT(cvt_rpi_f16_f16, "cvt.rpi.f16.f16", f16, f16,
    to_half(std::copysign(rounded(from_half(a), FE_UPWARD), from_half(a))));

SUITE_MAIN
