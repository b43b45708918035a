// cvt: between all types, with rounding and saturation.
#include <cfenv>
#include <cmath>
#include <limits>

#include "sim/exec_common.h"
#include "sim/exec_float_ops.h"
#include "sim/exec_tables.h"

namespace workbook::sim::WORKBOOK_EXEC {
namespace {

using ptx::Rounding;

struct F16 {
  u16 bits;
};
struct Bf16 {
  u16 bits;
};

template <class T>
inline constexpr bool is_small_float = std::is_same_v<T, F16> || std::is_same_v<T, Bf16>;
template <class T>
inline constexpr bool is_any_float = std::is_floating_point_v<T> || is_small_float<T>;

// What a row holds of a source: the register may be wider than the type.
template <class T>
[[gnu::always_inline]] inline T take(u64 bits) {
  if constexpr (is_small_float<T>)
    return T{static_cast<u16>(bits)};
  else if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(bits);
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(static_cast<u32>(bits));
  else
    return static_cast<T>(bits);
}
// What a row gets: sign- or zero-extended to the register.
template <class T>
[[gnu::always_inline]] inline u64 give(T v) {
  if constexpr (is_small_float<T>)
    return v.bits;
  else if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<Storage<T>>(v);
  else
    return static_cast<u64>(static_cast<s64>(v));
}

double widen(F16 v) {
  return from_half(v.bits);
}
double widen(Bf16 v) {
  return from_bfloat(v.bits);
}
double widen(float v) {
  return v;
}
double widen(double v) {
  return v;
}

double to_integral(double v, Rounding r) {
  switch (r) {
    case Rounding::rni:
      return std::nearbyint(v);
    case Rounding::rmi:
      return std::floor(v);
    case Rounding::rpi:
      return std::ceil(v);
    case Rounding::rzi:
      return std::trunc(v);
    default:
      return v;
  }
}

// Out of range is clamped; NaN gives 0, or the lowest pattern when a 64-bit type takes part.
template <class D, class S>
D float_to_integer(S source, Rounding r) {
  const double v = to_integral(widen(source), r);
  if (v != v) {
    if (sizeof(S) == 8 || sizeof(D) == 8)
      return static_cast<D>(std::make_unsigned_t<D>{1} << (8 * sizeof(D) - 1));
    return 0;
  }
  constexpr D low = std::numeric_limits<D>::min(), high = std::numeric_limits<D>::max();
  if (v <= static_cast<double>(low)) return low;
  if (v >= static_cast<double>(high)) return high;
  return static_cast<D>(v);
}

int host_mode(Rounding r) {
  return r == Rounding::rz   ? FE_TOWARDZERO
         : r == Rounding::rm ? FE_DOWNWARD
         : r == Rounding::rp ? FE_UPWARD
                             : FE_TONEAREST;
}

template <class D, class S>
[[gnu::noinline]] D round_in_mode(S v, Rounding r) {
  if (r == Rounding::none || r == Rounding::rn) return static_cast<D>(v);
  std::fesetround(host_mode(r));
  volatile S x = v;
  volatile D d = static_cast<D>(x);
  std::fesetround(FE_TONEAREST);
  return d;
}

template <class D>
D narrow(double v, Rounding r) {
  if constexpr (std::is_same_v<D, F16>)
    return {to_half(v, r)};
  else
    return {to_bfloat(v, r)};
}
// A NaN of f64 keeps its sign and the upper bits of its payload when it is narrowed (from other types it
// becomes the canonical one); it is made quiet.
float narrow_nan(double v) {
  const u64 bits = std::bit_cast<u64>(v);
  return std::bit_cast<float>(static_cast<u32>(bits >> 63 << 31) | 0x7fc00000u |
                              (static_cast<u32>(bits >> 29) & 0x3fffffu));
}
F16 narrow_nan_to_half(double v) {
  const u64 bits = std::bit_cast<u64>(v);
  return {static_cast<u16>((bits >> 63 << 15) | 0x7e00u | (bits >> 42 & 0x1ffu))};
}
// Integers of 64 bits don't fit a double; keep what rounding must know in the last bit.
template <class S>
double integer_for_narrowing(S v) {
  if constexpr (sizeof(S) < 8)
    return static_cast<double>(v);
  else {
    const bool negative = std::is_signed_v<S> && v < 0;
    u64 m = negative ? 0 - static_cast<u64>(v) : static_cast<u64>(v);
    if (m >> 48 != 0) m = m >> 12 << 12 | ((m & 0xfffu) != 0 ? 1u << 12 : 0u);
    return negative ? -static_cast<double>(m) : static_cast<double>(m);
  }
}

// One lane. Inst::sub: Rounding; Inst::imm: bit 0 ftz, bit 1 sat, bit 2 relu.
template <class D, class S>
D convert(S v, Rounding r, bool ftz, bool sat, bool relu) {
  if constexpr (std::is_same_v<S, Bf16> && std::is_same_v<D, float>) {
    return from_bfloat(v.bits);  // the upper half of a float, of a NaN too
  } else if constexpr (is_any_float<S>) {
    if constexpr (std::is_same_v<S, float>)
      if (ftz) v = flush(v);
    if constexpr (!is_any_float<D>) {
      return float_to_integer<D, S>(v, r);
    } else if constexpr (std::is_same_v<D, S> && std::is_floating_point_v<D>) {
      D x = r >= Rounding::rni ? static_cast<D>(to_integral(v, r)) : v;
      if (sat) x = saturate(x);
      return canonical(x);
    } else {
      double x = widen(v);
      if (r >= Rounding::rni) x = to_integral(x, r);
      if (sat) x = saturate(x);
      if (relu && !(x > 0) && x == x) x = 0;
      if constexpr (std::is_same_v<S, double> && std::is_same_v<D, float>)
        if (x != x) return narrow_nan(x);
      if constexpr (std::is_same_v<S, double> && std::is_same_v<D, F16>)
        if (x != x) return narrow_nan_to_half(x);
      if constexpr (is_small_float<D>)
        return narrow<D>(x, r);
      else if constexpr (std::is_same_v<D, float>) {
        float f = round_in_mode<float, double>(x, r);
        if (ftz) f = flush(f);
        return canonical(f);
      } else
        return x;
    }
  } else if constexpr (is_small_float<D>) {
    double x = integer_for_narrowing(v);
    if (sat) x = saturate(x);
    return narrow<D>(x, r);
  } else if constexpr (std::is_floating_point_v<D>) {
    D x = round_in_mode<D, S>(v, r);
    if (sat) x = saturate(x);
    return x;
  } else {
    if (!sat) return static_cast<D>(v);
    using L = std::numeric_limits<D>;
    if constexpr (std::is_signed_v<S>) {
      if (v < 0) {
        if constexpr (!std::is_signed_v<D>)
          return 0;
        else
          return static_cast<s64>(v) < static_cast<s64>(L::min()) ? L::min() : static_cast<D>(v);
      }
    }
    return static_cast<u64>(v) > static_cast<u64>(L::max()) ? L::max() : static_cast<D>(v);
  }
}

template <class D, class S>
void cvt(Warp& w, const Inst& in, u32 mask) {
  const bool wide_a = (in.flags & flag::wide_a) != 0, wide_d = (in.flags & flag::wide_d) != 0;
  const auto r = static_cast<Rounding>(in.sub);
  const bool ftz = (in.imm & 1) != 0, sat = (in.imm & 2) != 0, relu = (in.imm & 4) != 0;
  const auto* narrow_a = w.row<u32>(in.a);
  const auto* wide_row_a = w.row<u64>(in.a);
  auto* narrow_d = w.row<u32>(in.d);
  auto* wide_row_d = w.row<u64>(in.d);
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1u) == 0) continue;
    const u64 bits = give(convert<D, S>(take<S>(wide_a ? wide_row_a[l] : narrow_a[l]), r, ftz, sat, relu));
    if (wide_d)
      wide_row_d[l] = bits;
    else
      narrow_d[l] = static_cast<u32>(bits);
  }
}

// The common ones, where register and type have the same width: vectorised.
template <class D, class S>
void cvt_fast(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<S>>(in.a);
  each<D>(w, in, mask, [&](int l) { return static_cast<D>(unpack<S>(a[l])); });
}

template <class D>
Handler by_source(Type s) {
  switch (s) {
    case Type::u8:
    case Type::b8:
      return cvt<D, u8>;
    case Type::s8:
      return cvt<D, s8>;
    case Type::u16:
    case Type::b16:
      return cvt<D, u16>;
    case Type::s16:
      return cvt<D, s16>;
    case Type::u32:
    case Type::b32:
      return cvt<D, u32>;
    case Type::s32:
      return cvt<D, s32>;
    case Type::u64:
    case Type::b64:
      return cvt<D, u64>;
    case Type::s64:
      return cvt<D, s64>;
    case Type::f16:
      return cvt<D, F16>;
    case Type::bf16:
      return cvt<D, Bf16>;
    case Type::f32:
      return cvt<D, float>;
    case Type::f64:
      return cvt<D, double>;
    default:
      return nullptr;
  }
}

// cvt.rn.f16x2.f32 d, a, b: a is the upper half.
template <class D>
void cvt_pair(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto r = static_cast<Rounding>(in.sub);
  const bool relu = (in.imm & 4) != 0, sat = (in.imm & 2) != 0;
  const auto one = [&](u32 bits) {
    double v = std::bit_cast<float>(bits);
    if (sat) v = saturate(v);
    if (relu && !(v > 0) && v == v) v = 0;
    return static_cast<u32>(narrow<D>(v, r).bits);
  };
  each<u32>(w, in, mask, [&](int l) { return one(a[l]) << 16 | one(b[l]); });
}

// cvt.rna.tf32.f32: ten bits of fraction, ties away from zero; a NaN is cut like a number. .rn: ties to even.
void cvt_tf32(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const bool even = static_cast<Rounding>(in.sub) == Rounding::rn;
  const bool relu = (in.imm & 4) != 0;
  each<u32>(w, in, mask, [&](int l) {
    if (relu && a[l] >> 31 != 0 && !(std::bit_cast<float>(a[l]) != std::bit_cast<float>(a[l]))) return 0u;
    return (a[l] + (even ? 0xfffu + (a[l] >> 13 & 1u) : 0x1000u)) & 0xffffe000u;
  });
}

// cvt.pack.sat: a and b clamped to T and put side by side, a above; of bytes, c's lower half above both.
template <class T, class S>
void cvt_pack(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto* c = w.row<u32>(in.c);
  constexpr u32 bits = 8 * sizeof(T);
  const auto one = [](u32 v) {
    return static_cast<u32>(static_cast<std::make_unsigned_t<T>>(
        convert<T, S>(static_cast<S>(v), Rounding::none, false, true, false)));
  };
  each<u32>(w, in, mask, [&](int l) {
    const u32 pair = one(a[l]) << bits | one(b[l]);
    return bits == 16 ? pair : c[l] << 16 | pair;
  });
}
template <class S>
Handler find_pack(const Instruction& i) {
  const std::size_t operands = i.operands.size();
  switch (i.mod.type) {
    case Type::u16:
      return operands == 3 ? cvt_pack<u16, S> : nullptr;
    case Type::s16:
      return operands == 3 ? cvt_pack<s16, S> : nullptr;
    case Type::u8:
      return operands == 4 ? cvt_pack<u8, S> : nullptr;
    case Type::s8:
      return operands == 4 ? cvt_pack<s8, S> : nullptr;
    default:
      return nullptr;
  }
}

// Floats of 8 bits, always in pairs. What is beyond the greatest becomes the greatest (.satfinite).
//
// e4m3 has no infinity and one NaN, and its exponent of all ones is an ordinary one. Seen as the lower values
// of a type with five bits of exponent, whose bias is 8 more, it is rounded like any other.
template <bool e4m3>
u32 to_eighth(double v, bool relu) {
  constexpr double greatest = e4m3 ? 448 : 57344;
  if (relu && (v < 0 || (v == 0 && std::signbit(v)))) v = 0;
  if (v != v) return 0x7f;
  if (std::fabs(v) > greatest) v = std::copysign(greatest, v);
  const u32 bits =
      e4m3 ? to_small_float(v * 0x1p-8, 5, 3, Rounding::rn) : to_small_float(v, 5, 2, Rounding::rn);
  return (bits >> 8 & 0x80u) | (bits & 0x7fu);
}
template <bool e4m3>
u32 eighth_to_half(u32 bits) {
  const u32 sign = (bits & 0x80u) << 8, size = bits & 0x7fu;
  if constexpr (!e4m3) return size > 0x7c ? 0x7fffu : sign | size << 8;
  if (size == 0x7f) return 0x7fffu;
  // As a half with 7 of its 10 fraction bits empty, it is 2^8 too small.
  return sign | to_half(double{from_half(static_cast<u16>(size << 7))} * 0x1p8);
}
template <bool e4m3>
void cvt_to_eighths(Warp& w, const Inst& in, u32 mask) {  // from two f32
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const bool relu = (in.imm & 4) != 0;
  const auto one = [&](u32 bits) { return to_eighth<e4m3>(std::bit_cast<float>(bits), relu); };
  each<u32>(w, in, mask, [&](int l) { return one(a[l]) << 8 | one(b[l]); });
}
template <bool e4m3>
void cvt_halves_to_eighths(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const bool relu = (in.imm & 4) != 0;
  const auto one = [&](u32 bits) { return to_eighth<e4m3>(from_half(static_cast<u16>(bits)), relu); };
  each<u32>(w, in, mask, [&](int l) { return one(a[l] >> 16) << 8 | one(a[l]); });
}
template <bool e4m3>
void cvt_eighths_to_halves(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const bool relu = (in.imm & 4) != 0;
  const auto one = [&](u32 bits) {
    const u32 h = eighth_to_half<e4m3>(bits & 0xffu);
    return relu && (h & 0x8000u) != 0 ? 0u : h;
  };
  each<u32>(w, in, mask, [&](int l) { return one(a[l] >> 8) << 16 | one(a[l]); });
}
Handler find_eighths(const Instruction& i) {
  const Type d = i.mod.type, s = i.mod.source_type;
  const bool e4m3 = d == Type::e4m3x2 || s == Type::e4m3x2;
  if (i.mod.rounding != Rounding::rn || i.mod.sat || i.mod.ftz) return nullptr;
  if (d == Type::f16x2 && i.operands.size() == 2 && i.mod.rest.empty())
    return e4m3 ? cvt_eighths_to_halves<true> : cvt_eighths_to_halves<false>;
  if (i.mod.rest != ".satfinite") return nullptr;
  if (s == Type::f32 && i.operands.size() == 3) return e4m3 ? cvt_to_eighths<true> : cvt_to_eighths<false>;
  if (s == Type::f16x2 && i.operands.size() == 2)
    return e4m3 ? cvt_halves_to_eighths<true> : cvt_halves_to_eighths<false>;
  return nullptr;
}

bool is_eighths(Type t) {
  return t == Type::e4m3x2 || t == Type::e5m2x2;
}

Handler find_fast(const Instruction& i) {
  const Type d = i.mod.type, s = i.mod.source_type;
  if (i.mod.sat || i.mod.ftz) return nullptr;
  const auto is32 = [](Type t) { return t == Type::u32 || t == Type::b32; };
  const auto is64 = [](Type t) { return t == Type::u64 || t == Type::s64 || t == Type::b64; };
  if (is64(d) && s == Type::s32) return cvt_fast<s64, s32>;
  if (is64(d) && is32(s)) return cvt_fast<u64, u32>;
  if (i.mod.rounding == Rounding::rn && d == Type::f32 && s == Type::s32) return cvt_fast<float, s32>;
  if (i.mod.rounding == Rounding::rn && d == Type::f32 && is32(s)) return cvt_fast<float, u32>;
  return nullptr;
}

}  // namespace

// `natural`: both registers have their type's width, so that the fast forms are right.
Handler find_convert(const Instruction& i, bool natural) {
  if (is_eighths(i.mod.type) || is_eighths(i.mod.source_type)) return find_eighths(i);
  if (i.mod.rest == ".pack" && i.mod.sat)
    return i.mod.source_type == Type::s32   ? find_pack<s32>(i)
           : i.mod.source_type == Type::u32 ? find_pack<u32>(i)
                                            : nullptr;
  if (!i.mod.rest.empty()) return nullptr;
  if (natural && i.operands.size() == 2) {
    if (Handler fast = find_fast(i)) return fast;
  }
  switch (i.mod.type) {
    case Type::tf32:
      return i.mod.source_type == Type::f32 && !i.mod.sat &&
                     (i.mod.rounding == Rounding::rna || i.mod.rounding == Rounding::rn)
                 ? cvt_tf32
                 : nullptr;
    case Type::f16x2:
      return i.mod.source_type == Type::f32 && i.operands.size() == 3 ? cvt_pair<F16> : nullptr;
    case Type::bf16x2:
      return i.mod.source_type == Type::f32 && i.operands.size() == 3 ? cvt_pair<Bf16> : nullptr;
    case Type::u8:
    case Type::b8:
      return by_source<u8>(i.mod.source_type);
    case Type::s8:
      return by_source<s8>(i.mod.source_type);
    case Type::u16:
    case Type::b16:
      return by_source<u16>(i.mod.source_type);
    case Type::s16:
      return by_source<s16>(i.mod.source_type);
    case Type::u32:
    case Type::b32:
      return by_source<u32>(i.mod.source_type);
    case Type::s32:
      return by_source<s32>(i.mod.source_type);
    case Type::u64:
    case Type::b64:
      return by_source<u64>(i.mod.source_type);
    case Type::s64:
      return by_source<s64>(i.mod.source_type);
    case Type::f16:
      return by_source<F16>(i.mod.source_type);
    case Type::bf16:
      return by_source<Bf16>(i.mod.source_type);
    case Type::f32:
      return by_source<float>(i.mod.source_type);
    case Type::f64:
      return by_source<double>(i.mod.source_type);
    default:
      return nullptr;
  }
}

}  // namespace workbook::sim::WORKBOOK_EXEC
