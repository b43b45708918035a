// Arithmetic of f32 and f64.
//
// Results are IEEE's, to the bit; a NaN result of f32 is the canonical 0x7fffffff. The approximate functions
// (sin, cos, ex2, lg2, tanh, rsqrt, rcp, div.approx) give the correctly rounded value (computed in double
// precision), which is inside the error bounds that PTX documents, though not always the bits of a GPU.
#include <cfenv>
#include <cmath>

#include "sim/exec_common.h"
#include "sim/exec_float_ops.h"
#include "sim/exec_tables.h"

namespace workbook::sim::WORKBOOK_EXEC {
namespace {

template <class T, bool ftz>
[[gnu::always_inline]] inline T input(T v) {
  return ftz ? flush(v) : v;
}
template <class T, bool ftz, bool sat>
[[gnu::always_inline]] inline T output(T v) {
  if constexpr (sat) v = saturate(v);
  return canonical(ftz ? flush(v) : v);
}

// .ftz looks at a result's size before its exponent is bounded: what IEEE rounds up to the smallest normal
// number is flushed all the same. Only a result of exactly that size can be such a one; `exact` is its value
// in double precision, before it was rounded to float.
float flush_tiny(float v, double exact, ptx::Rounding rounding) {
  if ((std::bit_cast<u32>(v) & 0x7fffffffu) != 0x00800000u) return v;
  const double size = exact < 0 ? -exact : exact, smallest = 0x1p-126,
               step = 0x1p-150;  // below: half as wide
  const bool outward = rounding == (exact < 0 ? ptx::Rounding::rm : ptx::Rounding::rp);
  const bool inward =
      rounding == ptx::Rounding::rz || rounding == (exact < 0 ? ptx::Rounding::rp : ptx::Rounding::rm);
  const bool tiny = outward ? size <= smallest - step : inward ? size < smallest : size < smallest - step / 2;
  return tiny ? std::bit_cast<float>(std::bit_cast<u32>(v) & 0x80000000u) : v;
}

template <class Op, class T, bool ftz, bool sat>
void unary_f(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  each<T>(w, in, mask, [&](int l) { return output<T, ftz, sat>(Op::apply(input<T, ftz>(unpack<T>(a[l])))); });
}
template <class Op, class T, bool ftz, bool sat>
void binary_f(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<Storage<T>>(in.b);
  each<T>(w, in, mask, [&](int l) {
    return output<T, ftz, sat>(Op::apply(input<T, ftz>(unpack<T>(a[l])), input<T, ftz>(unpack<T>(b[l]))));
  });
}
// Products and quotients with .ftz: their results can be tiny without being subnormal (flush_tiny).
template <class Op>
void flushing(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto* c = w.row<u32>(in.c);
  const bool sat = (in.imm & 2) != 0;
  each<float>(w, in, mask, [&](int l) {
    const float x = flush(unpack<float>(a[l])), y = flush(unpack<float>(b[l])),
                z = flush(unpack<float>(c[l]));
    float r = Op::apply(x, y, z);
    if ((std::bit_cast<u32>(r) & 0x7fffffffu) == 0x00800000u)
      r = flush_tiny(r, Op::apply(double{x}, double{y}, double{z}), ptx::Rounding::rn);
    if (sat) r = saturate(r);
    return canonical(flush(r));
  });
}
template <class Op, class T, bool ftz, bool sat>
void ternary_f(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<Storage<T>>(in.b);
  const auto* c = w.row<Storage<T>>(in.c);
  each<T>(w, in, mask, [&](int l) {
    return output<T, ftz, sat>(Op::apply(input<T, ftz>(unpack<T>(a[l])), input<T, ftz>(unpack<T>(b[l])),
                                         input<T, ftz>(unpack<T>(c[l]))));
  });
}

// Directed rounding: the processor's mode is changed around a loop that the compiler can't move out of it.
int host_mode(u8 rounding) {
  switch (static_cast<ptx::Rounding>(rounding)) {
    case ptx::Rounding::rz:
      return FE_TOWARDZERO;
    case ptx::Rounding::rm:
      return FE_DOWNWARD;
    case ptx::Rounding::rp:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
  }
}
// flags: ftz in bit 0, sat in bit 1 of Inst::flags (see decode.cpp).
template <class Op, class T>
void directed(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<Storage<T>>(in.b);
  const auto* c = w.row<Storage<T>>(in.c);
  const bool ftz = (in.imm & 1) != 0, sat = (in.imm & 2) != 0;
  const auto in_of = [&](T v) { return ftz ? flush(v) : v; };
  T result[lanes];
  double exact[lanes];
  for (int l = 0; l < lanes && ftz; ++l)
    exact[l] = Op::apply(double{in_of(unpack<T>(a[l]))}, double{in_of(unpack<T>(b[l]))},
                         double{in_of(unpack<T>(c[l]))});
  std::fesetround(host_mode(in.sub));
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1u) == 0) continue;
    volatile T x = in_of(unpack<T>(a[l])), y = in_of(unpack<T>(b[l])), z = in_of(unpack<T>(c[l]));
    volatile T r = Op::apply(T{x}, T{y}, T{z});
    result[l] = r;
  }
  std::fesetround(FE_TONEAREST);
  each<T>(w, in, mask, [&](int l) {
    if ((mask >> l & 1u) == 0) return T{0};
    T v = result[l];
    if constexpr (sizeof(T) == 4)
      if (ftz) v = flush_tiny(v, exact[l], static_cast<ptx::Rounding>(in.sub));
    if (sat) v = saturate(v);
    return canonical(ftz ? flush(v) : v);
  });
}

struct Add {
  template <class T>
  static T apply(T a, T b) {
    return a + b;
  }
  template <class T>
  static T apply(T a, T b, T) {
    return a + b;
  }
};
struct Sub {
  template <class T>
  static T apply(T a, T b) {
    return a - b;
  }
  template <class T>
  static T apply(T a, T b, T) {
    return a - b;
  }
};
struct Mul {
  template <class T>
  static T apply(T a, T b) {
    return a * b;
  }
  template <class T>
  static T apply(T a, T b, T) {
    return a * b;
  }
};
struct Div {
  template <class T>
  static T apply(T a, T b) {
    return a / b;
  }
  template <class T>
  static T apply(T a, T b, T) {
    return a / b;
  }
};
struct Fma {
  static float apply(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static double apply(double a, double b, double c) { return __builtin_fma(a, b, c); }
};
struct Sqrt {
  static float apply(float a) { return __builtin_sqrtf(a); }
  static double apply(double a) { return __builtin_sqrt(a); }
  template <class T>
  static T apply(T a, T, T) {
    return apply(a);
  }
};
struct Rcp {
  template <class T>
  static T apply(T a) {
    return T{1} / a;
  }
  template <class T>
  static T apply(T a, T, T) {
    return T{1} / a;
  }
};
struct Min {
  template <class T>
  static T apply(T a, T b) {
    return minimum(a, b);
  }
};
struct Max {
  template <class T>
  static T apply(T a, T b) {
    return maximum(a, b);
  }
};
struct MinNan {
  template <class T>
  static T apply(T a, T b) {
    return a != a ? a : b != b ? b : minimum(a, b);
  }
};
struct MaxNan {
  template <class T>
  static T apply(T a, T b) {
    return a != a ? a : b != b ? b : maximum(a, b);
  }
};
// .xorsign.abs: the size is that of |a| and |b|, the sign that of a ^ b.
template <class Op>
struct XorSign {
  template <class T>
  static T apply(T a, T b) {
    constexpr auto sign = Storage<T>{1} << (8 * sizeof(T) - 1);
    const auto bits = [](T v) { return std::bit_cast<Storage<T>>(v); };
    const T r = Op::apply(std::bit_cast<T>(bits(a) & ~sign), std::bit_cast<T>(bits(b) & ~sign));
    return std::bit_cast<T>((bits(r) & ~sign) | ((bits(a) ^ bits(b)) & sign));
  }
};
struct Rsqrt {
  static float apply(float a) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); }
  static double apply(double a) { return 1.0 / std::sqrt(a); }
};
struct Sin {
  static float apply(float a) { return static_cast<float>(std::sin(static_cast<double>(a))); }
};
struct Cos {
  static float apply(float a) { return static_cast<float>(std::cos(static_cast<double>(a))); }
};
struct Ex2 {
  static float apply(float a) { return static_cast<float>(std::exp2(static_cast<double>(a))); }
};
struct Lg2 {
  static float apply(float a) { return static_cast<float>(std::log2(static_cast<double>(a))); }
};
struct Tanh {
  static float apply(float a) { return static_cast<float>(std::tanh(static_cast<double>(a))); }
};

// Of a NaN, abs and neg make the canonical one; copysign works on bits.
template <class T, bool ftz>
void abs_f(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  constexpr auto sign = Storage<T>{1} << (8 * sizeof(T) - 1);
  each<T>(w, in, mask, [&](int l) { return canonical(input<T, ftz>(unpack<T>(a[l] & ~sign))); });
}
template <class T, bool ftz>
void neg_f(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  constexpr auto sign = Storage<T>{1} << (8 * sizeof(T) - 1);
  each<T>(w, in, mask, [&](int l) { return canonical(input<T, ftz>(unpack<T>(a[l] ^ sign))); });
}
template <class T>
void copysign_f(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<Storage<T>>(in.b);
  constexpr auto sign = Storage<T>{1} << (8 * sizeof(T) - 1);
  each<T>(w, in, mask, [&](int l) { return unpack<T>((a[l] & sign) | (b[l] & ~sign)); });
}

template <class T, bool ftz>
u32 compare_f(const Warp& w, const Inst& in) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<Storage<T>>(in.b);
  const auto x = [&](int l) { return input<T, ftz>(unpack<T>(a[l])); };
  const auto y = [&](int l) { return input<T, ftz>(unpack<T>(b[l])); };
  return compare_floats(static_cast<Compare>(in.sub), x, y);
}
template <class T, bool ftz>
void setp_f(Warp& w, const Inst& in, u32 mask) {
  // The second predicate is the complement of the comparison, NaN or not.
  finish_setp(w, in, mask, compare_f<T, ftz>(w, in));
}
template <class T, bool ftz>
void set_f(Warp& w, const Inst& in, u32 mask) {
  const u32 bits = combine(w, in, compare_f<T, ftz>(w, in));
  const u32 yes = (in.flags & flag::wide_d) != 0 ? 0x3f800000u : full_mask;
  each<u32>(w, in, mask, [&](int l) { return (bits >> l & 1u) != 0 ? yes : 0u; });
}

template <class T>
void testp(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const int what = in.sub;
  set_predicate(w, in.d, mask, ballot([&](int l) {
                  const int c = std::fpclassify(unpack<T>(a[l]));
                  switch (what) {
                    case 0:
                      return c != FP_INFINITE && c != FP_NAN;
                    case 1:
                      return c == FP_INFINITE;
                    case 2:
                      return c != FP_NAN;
                    case 3:
                      return c == FP_NAN;
                    case 4:
                      return c == FP_NORMAL || c == FP_ZERO;  // the ISA counts zero in
                    default:
                      return c == FP_SUBNORMAL;
                  }
                }));
}

template <class Op, class T>
Handler pick_unary(const Instruction& i) {
  if constexpr (sizeof(T) == 4)
    if (i.mod.ftz) return unary_f<Op, T, true, false>;
  return unary_f<Op, T, false, false>;
}
template <class Op, class T>
Handler pick_binary(const Instruction& i) {
  if constexpr (sizeof(T) == 4) {
    if (i.mod.ftz) return i.mod.sat ? binary_f<Op, T, true, true> : binary_f<Op, T, true, false>;
    if (i.mod.sat) return binary_f<Op, T, false, true>;
  }
  return binary_f<Op, T, false, false>;
}
template <class Op, class T>
Handler pick_product(const Instruction& i) {
  if constexpr (sizeof(T) == 4)
    if (i.mod.ftz) return flushing<Op>;
  return pick_binary<Op, T>(i);
}
template <class Op, class T>
Handler pick_ternary(const Instruction& i) {
  if constexpr (sizeof(T) == 4) {
    if (i.mod.ftz) return flushing<Op>;
    if (i.mod.sat) return ternary_f<Op, T, false, true>;
  }
  return ternary_f<Op, T, false, false>;
}

bool is_directed(const Instruction& i) {
  return i.mod.rounding == ptx::Rounding::rz || i.mod.rounding == ptx::Rounding::rm ||
         i.mod.rounding == ptx::Rounding::rp;
}

template <class T>
Handler find_special(const Instruction& i) {
  switch (i.op) {
    case Opcode::sqrt:
      return is_directed(i) ? directed<Sqrt, T> : pick_unary<Sqrt, T>(i);
    case Opcode::rcp:
      return is_directed(i) ? directed<Rcp, T> : pick_unary<Rcp, T>(i);
    case Opcode::rsqrt:
      return pick_unary<Rsqrt, T>(i);
    default:
      break;
  }
  if constexpr (sizeof(T) == 4) {
    switch (i.op) {
      case Opcode::sin:
        return pick_unary<Sin, T>(i);
      case Opcode::cos:
        return pick_unary<Cos, T>(i);
      case Opcode::ex2:
        return pick_unary<Ex2, T>(i);
      case Opcode::lg2:
        return pick_unary<Lg2, T>(i);
      case Opcode::tanh:
        return pick_unary<Tanh, T>(i);
      default:
        break;
    }
  }
  return nullptr;
}

template <class T>
Handler find_typed(const Instruction& i) {
  const bool nan = i.mod.propagate_nan, plain_min_max = i.operands.size() == 3, xorsign = i.mod.xorsign;
  switch (i.op) {
    case Opcode::add:
      return is_directed(i) ? directed<Add, T> : pick_binary<Add, T>(i);
    case Opcode::sub:
      return is_directed(i) ? directed<Sub, T> : pick_binary<Sub, T>(i);
    case Opcode::mul:
      return is_directed(i) ? directed<Mul, T> : pick_product<Mul, T>(i);
    case Opcode::div:
      return is_directed(i) ? directed<Div, T> : pick_product<Div, T>(i);
    case Opcode::fma:
    case Opcode::mad:
      return is_directed(i) ? directed<Fma, T> : pick_ternary<Fma, T>(i);
    case Opcode::min:
      if (!plain_min_max || (xorsign && nan)) return nullptr;
      if (xorsign) return pick_binary<XorSign<Min>, T>(i);
      return nan ? pick_binary<MinNan, T>(i) : pick_binary<Min, T>(i);
    case Opcode::max:
      if (!plain_min_max || (xorsign && nan)) return nullptr;
      if (xorsign) return pick_binary<XorSign<Max>, T>(i);
      return nan ? pick_binary<MaxNan, T>(i) : pick_binary<Max, T>(i);
    case Opcode::abs:
      return i.mod.ftz ? abs_f<T, true> : abs_f<T, false>;
    case Opcode::neg:
      return i.mod.ftz ? neg_f<T, true> : neg_f<T, false>;
    case Opcode::copysign:
      return copysign_f<T>;
    case Opcode::setp:
      return i.mod.ftz ? setp_f<T, true> : setp_f<T, false>;
    case Opcode::testp:
      return testp<T>;
    default:
      return find_special<T>(i);
  }
}

}  // namespace

Handler find_float(const Instruction& i) {
  if (i.op == Opcode::set)
    return i.mod.source_type == Type::f32   ? (i.mod.ftz ? set_f<float, true> : set_f<float, false>)
           : i.mod.source_type == Type::f64 ? set_f<double, false>
                                            : nullptr;
  if (i.op == Opcode::selp || i.op == Opcode::slct || i.op == Opcode::mov) return find_integer(i);
  if (i.mod.type == Type::f32) return find_typed<float>(i);
  if (i.mod.type == Type::f64) return find_typed<double>(i);
  return nullptr;
}

}  // namespace workbook::sim::WORKBOOK_EXEC
