// Integer arithmetic, comparing and choosing.
#include "sim/exec_common.h"
#include "sim/exec_tables.h"

namespace workbook::sim::WORKBOOK_EXEC {
namespace {

// Wide enough for any product of two Ts, computed without undefined overflow.
template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
using Twice = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, s32, u32>,
                                 std::conditional_t<std::is_signed_v<T>, s64, u64>>;
__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

template <class T>
T wrap_add(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b)));
}
template <class T>
T wrap_sub(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b)));
}
template <class T>
T wrap_mul(T a, T b) {
  if constexpr (sizeof(T) == 2)
    return static_cast<T>(static_cast<u32>(a) * static_cast<u32>(b));
  else
    return static_cast<T>(static_cast<Unsigned<T>>(a) * static_cast<Unsigned<T>>(b));
}
template <class T>
T high_half(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    using Product = std::conditional_t<std::is_signed_v<T>, s128, u128>;
    return static_cast<T>(static_cast<Product>(a) * static_cast<Product>(b) >> 64);
  } else {
    return static_cast<T>(static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b) >> (8 * sizeof(T)));
  }
}

struct Add {
  template <class T>
  static T apply(T a, T b) {
    return wrap_add(a, b);
  }
};
struct Sub {
  template <class T>
  static T apply(T a, T b) {
    return wrap_sub(a, b);
  }
};
struct MulLo {
  template <class T>
  static T apply(T a, T b) {
    return wrap_mul(a, b);
  }
};
struct MulHi {
  template <class T>
  static T apply(T a, T b) {
    return high_half(a, b);
  }
};
struct MadLo {
  template <class T>
  static T apply(T a, T b, T c) {
    return wrap_add(wrap_mul(a, b), c);
  }
};
struct MadHi {
  template <class T>
  static T apply(T a, T b, T c) {
    return wrap_add(high_half(a, b), c);
  }
};
struct MadHiSat {
  template <class T>
  static T apply(T a, T b, T c) {
    const s64 r = s64{high_half(a, b)} + s64{c};
    return static_cast<T>(r > 0x7fffffff ? 0x7fffffff : r < -0x80000000ll ? -0x80000000ll : r);
  }
};
struct Min {
  template <class T>
  static T apply(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  static T apply(T a, T b) {
    return a < b ? b : a;
  }
};
template <class Op>
struct Relu {
  template <class T>
  static T apply(T a, T b) {
    const T r = Op::apply(a, b);
    return r < 0 ? T{0} : r;
  }
};
struct Abs {
  template <class T>
  static T apply(T a) {
    return a < 0 ? wrap_sub(T{0}, a) : a;
  }
};
struct Neg {
  template <class T>
  static T apply(T a) {
    return wrap_sub(T{0}, a);
  }
};
struct Sad {
  template <class T>
  static T apply(T a, T b, T c) {
    return wrap_add(c, a < b ? wrap_sub(b, a) : wrap_sub(a, b));
  }
};
// PTX leaves division by zero open; all ones, of the quotient and of the remainder, is what an H200 gives.
struct Div {
  template <class T>
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return wrap_sub(T{0}, a);
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  }
};
struct AddSat {
  template <class T>
  static T apply(T a, T b) {
    const s64 r = s64{a} + s64{b};
    return static_cast<T>(r > 0x7fffffff ? 0x7fffffff : r < -0x80000000ll ? -0x80000000ll : r);
  }
};
struct SubSat {
  template <class T>
  static T apply(T a, T b) {
    const s64 r = s64{a} - s64{b};
    return static_cast<T>(r > 0x7fffffff ? 0x7fffffff : r < -0x80000000ll ? -0x80000000ll : r);
  }
};
template <class T>
T low24(T v) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(static_cast<s32>(static_cast<u32>(v) << 8) >> 8);
  else
    return v & 0xffffffu;
}
struct Mul24Lo {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Twice<T>>(low24(a)) * low24(b));
  }
};
struct Mul24Hi {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Twice<T>>(low24(a)) * low24(b) >> 16);
  }
};
struct Mad24Lo {
  template <class T>
  static T apply(T a, T b, T c) {
    return wrap_add(Mul24Lo::apply(a, b), c);
  }
};
struct Mad24HiSat {
  template <class T>
  static T apply(T a, T b, T c) {
    return AddSat::apply(Mul24Hi::apply(a, b), c);
  }
};
struct Mad24Hi {
  template <class T>
  static T apply(T a, T b, T c) {
    return wrap_add(Mul24Hi::apply(a, b), c);
  }
};

template <class T>
void mul_wide(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<Storage<T>>(in.b);
  using W = Twice<T>;
  each<W>(w, in, mask, [&](int l) {
    return static_cast<W>(static_cast<W>(unpack<T>(a[l])) * static_cast<W>(unpack<T>(b[l])));
  });
}
template <class T>
void mad_wide(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<Storage<T>>(in.b);
  using W = Twice<T>;
  const auto* c = w.row<Storage<W>>(in.c);
  each<W>(w, in, mask, [&](int l) {
    return wrap_add(static_cast<W>(static_cast<W>(unpack<T>(a[l])) * static_cast<W>(unpack<T>(b[l]))),
                    unpack<W>(c[l]));
  });
}

// Extended precision: the carry flag of a lane is predicate number 1. sub: whether it subtracts; Inst::sub
// bit 0: reads the flag, bit 1: writes it.
template <class T, bool subtract>
void with_carry(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<Storage<T>>(in.b);
  const u32 carry = (in.sub & 1) != 0 ? w.predicates[1] : 0;
  u32 out = 0;
  T result[lanes];
  for (int l = 0; l < lanes; ++l) {
    const u128 x = static_cast<Unsigned<T>>(unpack<T>(a[l])), y = static_cast<Unsigned<T>>(unpack<T>(b[l])),
               k = carry >> l & 1u;
    const u128 r = subtract ? x - y - k : x + y + k;
    result[l] = static_cast<T>(r);
    out |= static_cast<u32>(r >> (8 * sizeof(T)) & 1) << l;
  }
  each<T>(w, in, mask, [&](int l) { return result[l]; });
  if ((in.sub & 2) != 0) set_predicate(w, 1, mask, out);
}
template <class T, bool high>
void mad_carry(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<Storage<T>>(in.b);
  const auto* c = w.row<Storage<T>>(in.c);
  const u32 carry = (in.sub & 1) != 0 ? w.predicates[1] : 0;
  u32 out = 0;
  T result[lanes];
  for (int l = 0; l < lanes; ++l) {
    const T x = unpack<T>(a[l]), y = unpack<T>(b[l]);
    const u128 r = u128{static_cast<Unsigned<T>>(high ? high_half(x, y) : wrap_mul(x, y))} +
                   static_cast<Unsigned<T>>(unpack<T>(c[l])) + (carry >> l & 1u);
    result[l] = static_cast<T>(r);
    out |= static_cast<u32>(r >> (8 * sizeof(T)) & 1) << l;
  }
  each<T>(w, in, mask, [&](int l) { return result[l]; });
  if ((in.sub & 2) != 0) set_predicate(w, 1, mask, out);
}

template <class A, class B>
void dot4(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto* c = w.row<u32>(in.c);
  each<u32>(w, in, mask, [&](int l) {
    u32 sum = c[l];
    for (int k = 0; k < 4; ++k)
      sum += static_cast<u32>(static_cast<s32>(static_cast<A>(a[l] >> 8 * k)) *
                              static_cast<s32>(static_cast<B>(b[l] >> 8 * k)));
    return sum;
  });
}

// dp2a: two halves of a with the low or high pair of b's bytes (Inst::sub).
template <class A, class B>
void dot2(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto* c = w.row<u32>(in.c);
  const int first = in.sub != 0 ? 2 : 0;
  each<u32>(w, in, mask, [&](int l) {
    u32 sum = c[l];
    for (int k = 0; k < 2; ++k)
      sum += static_cast<u32>(static_cast<s32>(static_cast<A>(a[l] >> 16 * k)) *
                              static_cast<s32>(static_cast<B>(b[l] >> 8 * (k + first))));
    return sum;
  });
}
// vabsdiff4: |a - b| byte by byte; with .add their sum is added to c.
template <class T>
void absolute_differences(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto* c = w.row<u32>(in.c);
  const bool add = in.sub != 0;
  each<u32>(w, in, mask, [&](int l) {
    u32 packed = 0, sum = c[l];
    for (int k = 0; k < 4; ++k) {
      const s32 d =
          static_cast<s32>(static_cast<T>(a[l] >> 8 * k)) - static_cast<s32>(static_cast<T>(b[l] >> 8 * k));
      const u32 size = static_cast<u32>(d < 0 ? -d : d);
      packed |= (size & 255u) << 8 * k;
      sum += size;
    }
    return add ? sum : packed;
  });
}

template <class T>
u32 compare(const Warp& w, const Inst& in) {
  using U = Unsigned<T>;
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<Storage<T>>(in.b);
  const auto x = [&](int l) { return unpack<T>(a[l]); };
  const auto y = [&](int l) { return unpack<T>(b[l]); };
  switch (static_cast<Compare>(in.sub)) {
    case Compare::eq:
      return ballot([&](int l) { return x(l) == y(l); });
    case Compare::ne:
      return ballot([&](int l) { return x(l) != y(l); });
    case Compare::lt:
      return ballot([&](int l) { return x(l) < y(l); });
    case Compare::le:
      return ballot([&](int l) { return x(l) <= y(l); });
    case Compare::gt:
      return ballot([&](int l) { return x(l) > y(l); });
    case Compare::ge:
      return ballot([&](int l) { return x(l) >= y(l); });
    case Compare::lo:
      return ballot([&](int l) { return static_cast<U>(x(l)) < static_cast<U>(y(l)); });
    case Compare::ls:
      return ballot([&](int l) { return static_cast<U>(x(l)) <= static_cast<U>(y(l)); });
    case Compare::hi:
      return ballot([&](int l) { return static_cast<U>(x(l)) > static_cast<U>(y(l)); });
    case Compare::hs:
      return ballot([&](int l) { return static_cast<U>(x(l)) >= static_cast<U>(y(l)); });
    default:
      return 0;
  }
}
template <class T>
void setp(Warp& w, const Inst& in, u32 mask) {
  finish_setp(w, in, mask, compare<T>(w, in));
}
template <class T>
void set_integer(Warp& w, const Inst& in, u32 mask) {
  const u32 bits = combine(w, in, compare<T>(w, in));
  const u32 yes =
      (in.flags & flag::wide_d) != 0 ? 0x3f800000u : full_mask;  // wide_d here: the result is an f32
  each<u32>(w, in, mask, [&](int l) { return (bits >> l & 1u) != 0 ? yes : 0u; });
}

template <class T>
void selp(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<T>(in.a);
  const auto* b = w.row<T>(in.b);
  const u32 p = predicate(w, in.c, (in.flags & flag::not_c) != 0);
  each<T>(w, in, mask, [&](int l) { return (p >> l & 1u) != 0 ? a[l] : b[l]; });
}
template <class T>
void slct(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<T>(in.a);
  const auto* b = w.row<T>(in.b);
  const auto* c = w.row<u32>(in.c);
  const bool is_float = in.sub != 0, ftz = (in.imm & 1) != 0;
  each<T>(w, in, mask, [&](int l) {
    const bool subnormal = (c[l] & 0x7f800000u) == 0;
    const bool first = !is_float          ? static_cast<s32>(c[l]) >= 0
                       : ftz && subnormal ? true
                                          : std::bit_cast<float>(c[l]) >= 0;
    return first ? a[l] : b[l];
  });
}

// Two integers of 16 bits in one register. Inst::imm: bit 2 relu.
template <class Op, class T>
void packed16(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const bool relu = (in.imm & 4) != 0;
  const auto one = [&](u32 x, u32 y) {
    const T r = Op::apply(static_cast<T>(x), static_cast<T>(y));
    return relu && r < 0 ? 0u : static_cast<u32>(static_cast<u16>(r));
  };
  each<u32>(w, in, mask, [&](int l) { return one(a[l], b[l]) | one(a[l] >> 16, b[l] >> 16) << 16; });
}
template <class T>
Handler find_packed16(const Instruction& i) {
  if (i.mod.sat || i.operands.size() != 3) return nullptr;
  switch (i.op) {
    case Opcode::add:
      return packed16<Add, T>;
    case Opcode::min:
      return packed16<Min, T>;
    case Opcode::max:
      return packed16<Max, T>;
    default:
      return nullptr;
  }
}

Handler find_multiply(const Instruction& i) {
  const Type t = i.mod.type;
  const bool mad = i.op == Opcode::mad || i.op == Opcode::madc;
  if (i.op == Opcode::madc || i.mod.carry_out) {
    if (i.mod.half == ptx::Half::hi)
      return t == Type::u32 || t == Type::b32 ? mad_carry<u32, true>
             : t == Type::s32                 ? mad_carry<s32, true>
             : t == Type::u64                 ? mad_carry<u64, true>
             : t == Type::s64                 ? mad_carry<s64, true>
                                              : nullptr;
    return t == Type::u32 || t == Type::s32 || t == Type::b32   ? mad_carry<u32, false>
           : t == Type::u64 || t == Type::s64 || t == Type::b64 ? mad_carry<u64, false>
                                                                : nullptr;
  }
  if (i.mod.half == ptx::Half::wide) {
    switch (t) {
      case Type::u16:
        return mad ? mad_wide<u16> : mul_wide<u16>;
      case Type::s16:
        return mad ? mad_wide<s16> : mul_wide<s16>;
      case Type::u32:
        return mad ? mad_wide<u32> : mul_wide<u32>;
      case Type::s32:
        return mad ? mad_wide<s32> : mul_wide<s32>;
      default:
        return nullptr;
    }
  }
#define H_LO(T) binary<MulLo, T>
#define H_HI(T) binary<MulHi, T>
#define H_MLO(T) ternary<MadLo, T>
#define H_MHI(T) ternary<MadHi, T>
  if (i.mod.sat)
    return mad && t == Type::s32 && i.mod.half == ptx::Half::hi ? ternary<MadHiSat, s32> : nullptr;
  if (i.mod.half == ptx::Half::hi) return mad ? WORKBOOK_BY_INTEGER(H_MHI, t) : WORKBOOK_BY_INTEGER(H_HI, t);
  return mad ? WORKBOOK_BY_INTEGER(H_MLO, t) : WORKBOOK_BY_INTEGER(H_LO, t);
}

Handler find_24(const Instruction& i) {
  const bool mad = i.op == Opcode::mad24, high = i.mod.half == ptx::Half::hi;
  if (i.mod.sat) return mad && high && i.mod.type == Type::s32 ? ternary<Mad24HiSat, s32> : nullptr;
  if (i.mod.type == Type::u32)
    return mad ? (high ? ternary<Mad24Hi, u32> : ternary<Mad24Lo, u32>)
               : (high ? binary<Mul24Hi, u32> : binary<Mul24Lo, u32>);
  if (i.mod.type == Type::s32)
    return mad ? (high ? ternary<Mad24Hi, s32> : ternary<Mad24Lo, s32>)
               : (high ? binary<Mul24Hi, s32> : binary<Mul24Lo, s32>);
  return nullptr;
}

}  // namespace

// dispatch: one row an opcode and type
Handler find_integer(const Instruction& i) {
  const Type t = i.mod.type;
  if (t == Type::u16x2) return find_packed16<u16>(i);
  if (t == Type::s16x2) return find_packed16<s16>(i);
#define H_ADD(T) binary<Add, T>
#define H_SUB(T) binary<Sub, T>
#define H_DIV(T) binary<Div, T>
#define H_REM(T) binary<Rem, T>
#define H_MIN(T) binary<Min, T>
#define H_MAX(T) binary<Max, T>
#define H_SAD(T) ternary<Sad, T>
#define H_SETP(T) setp<T>
#define H_SET(T) set_integer<T>
  switch (i.op) {
    case Opcode::add:
    case Opcode::addc:
      if (i.op == Opcode::addc || i.mod.carry_out)
        return ptx::size_of(t) == 4   ? with_carry<u32, false>
               : ptx::size_of(t) == 8 ? with_carry<u64, false>
                                      : nullptr;
      if (i.mod.sat) return t == Type::s32 ? binary<AddSat, s32> : nullptr;
      return WORKBOOK_BY_INTEGER(H_ADD, t);
    case Opcode::sub:
    case Opcode::subc:
      if (i.op == Opcode::subc || i.mod.carry_out)
        return ptx::size_of(t) == 4   ? with_carry<u32, true>
               : ptx::size_of(t) == 8 ? with_carry<u64, true>
                                      : nullptr;
      if (i.mod.sat) return t == Type::s32 ? binary<SubSat, s32> : nullptr;
      return WORKBOOK_BY_INTEGER(H_SUB, t);
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::madc:
      return find_multiply(i);
    case Opcode::mul24:
    case Opcode::mad24:
      return find_24(i);
    case Opcode::div:
      return WORKBOOK_BY_INTEGER(H_DIV, t);
    case Opcode::rem:
      return WORKBOOK_BY_INTEGER(H_REM, t);
    case Opcode::min:
      if (i.operands.size() > 3) return nullptr;
      if (i.mod.relu) return t == Type::s32 ? binary<Relu<Min>, s32> : nullptr;
      return WORKBOOK_BY_INTEGER(H_MIN, t);
    case Opcode::max:
      if (i.operands.size() > 3) return nullptr;
      if (i.mod.relu) return t == Type::s32 ? binary<Relu<Max>, s32> : nullptr;
      return WORKBOOK_BY_INTEGER(H_MAX, t);
    case Opcode::sad:
      return WORKBOOK_BY_INTEGER(H_SAD, t);
    case Opcode::abs:
      return t == Type::s16   ? unary<Abs, s16>
             : t == Type::s32 ? unary<Abs, s32>
             : t == Type::s64 ? unary<Abs, s64>
                              : nullptr;
    case Opcode::neg:
      return t == Type::s16   ? unary<Neg, s16>
             : t == Type::s32 ? unary<Neg, s32>
             : t == Type::s64 ? unary<Neg, s64>
                              : nullptr;
    case Opcode::dp4a: {
      const bool sa = ptx::is_signed(t), sb = ptx::is_signed(i.mod.source_type);
      return sa ? (sb ? dot4<s8, s8> : dot4<s8, u8>) : (sb ? dot4<u8, s8> : dot4<u8, u8>);
    }
    case Opcode::dp2a: {
      const bool sa = ptx::is_signed(t), sb = ptx::is_signed(i.mod.source_type);
      return sa ? (sb ? dot2<s16, s8> : dot2<s16, u8>) : (sb ? dot2<u16, s8> : dot2<u16, u8>);
    }
    case Opcode::vabsdiff4:
      if (i.mod.sat || (i.mod.atomic != ptx::AtomicOp::none && i.mod.atomic != ptx::AtomicOp::add))
        return nullptr;
      return ptx::is_signed(i.mod.source_type) ? absolute_differences<s8> : absolute_differences<u8>;
    case Opcode::setp:
      return WORKBOOK_BY_INTEGER(H_SETP, t);
    case Opcode::set:
      return WORKBOOK_BY_INTEGER(H_SET, i.mod.source_type);
    case Opcode::selp:
      return ptx::size_of(t) == 8 ? selp<u64> : selp<u32>;
    case Opcode::slct:
      return ptx::size_of(t) == 8 ? slct<u64> : slct<u32>;
    default:
      return find_bits(i);
  }
}

}  // namespace workbook::sim::WORKBOOK_EXEC
