// Arithmetic of f16 and bf16, single and packed in pairs.
//
// Every operation is computed in double precision, where sums and products of halves are exact, and rounded
// once. fma of bf16 can need more bits than a double has; its double rounding is avoided by rounding to odd.
#include <cmath>

#include "sim/exec_common.h"
#include "sim/exec_float_ops.h"
#include "sim/exec_tables.h"

namespace workbook::sim::WORKBOOK_EXEC {
namespace {

struct F16 {
  static constexpr u32 infinity = 0x7c00;
  static double widen(u32 h) { return from_half(static_cast<u16>(h)); }
  static u32 narrow(double v) { return to_half(v); }
};
struct Bf16 {
  static constexpr u32 infinity = 0x7f80;
  static double widen(u32 h) { return from_bfloat(static_cast<u16>(h)); }
  static u32 narrow(double v) { return to_bfloat(v); }
};

// a * b is exact in double for both types; adding c may round. Round to odd keeps what a second rounding must
// know.
double fma_odd(double a, double b, double c) {
  const double p = a * b, s = p + c;
  if (!std::isfinite(s)) return s;
  const double bb = s - p, error = (p - (s - bb)) + (c - bb);  // two-sum: exact
  u64 bits = std::bit_cast<u64>(s);
  if (error == 0 || (bits & 1) != 0) return s;
  // Toward the true value: s is even, so its odd neighbour on the side of the error is right.
  const bool away = (error > 0) == (s > 0);
  bits = away ? bits + 1 : bits - 1;
  return std::bit_cast<double>(bits);
}

struct Add {
  static double apply(double a, double b, double) { return a + b; }
};
struct Sub {
  static double apply(double a, double b, double) { return a - b; }
};
struct Mul {
  static double apply(double a, double b, double) { return a * b; }
};
struct Fma {
  static double apply(double a, double b, double c) { return fma_odd(a, b, c); }
};
struct Min {
  static double apply(double a, double b, double) { return minimum(a, b); }
};
struct Max {
  static double apply(double a, double b, double) { return maximum(a, b); }
};
struct MinNan {
  static double apply(double a, double b, double) { return a != a ? a : b != b ? b : minimum(a, b); }
};
struct MaxNan {
  static double apply(double a, double b, double) { return a != a ? a : b != b ? b : maximum(a, b); }
};
struct Ex2 {
  static double apply(double a, double, double) { return std::exp2(a); }
};
struct Tanh {
  static double apply(double a, double, double) { return std::tanh(a); }
};

// Of min and max with .xorsign.abs: the size is that of |a| and |b|, the sign that of a ^ b.
template <class Op>
struct XorSign {
  static double apply(double a, double b, double) {
    const double r = Op::apply(std::fabs(a), std::fabs(b), 0);
    return std::signbit(a) != std::signbit(b) ? -r : r;
  }
};

// A subnormal half becomes zero of its sign (.ftz).
double flush_half(double v) {
  return std::fabs(v) < 0x1p-14 ? std::copysign(0.0, v) : v;
}
// Inst::imm: bit 0 ftz, bit 1 sat, bit 2 relu.
template <class H>
u32 finish(double v, const Inst& in) {
  if ((in.imm & 2) != 0) v = saturate(v);
  if ((in.imm & 4) != 0 && (v < 0 || (v == 0 && std::signbit(v)))) v = 0;
  u32 r = H::narrow(v);
  if ((in.imm & 1) != 0 && (r & 0x7c00u) == 0) r &= 0x8000u;
  return r;
}
template <class H, class Op, bool packed>
void arithmetic(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto* c = w.row<u32>(in.c);
  const bool ftz = (in.imm & 1) != 0;
  const auto one = [&](u32 x, u32 y, u32 z) {
    double p = H::widen(x & 0xffffu), q = H::widen(y & 0xffffu), r = H::widen(z & 0xffffu);
    if (ftz) {
      p = flush_half(p);
      q = flush_half(q);
      r = flush_half(r);
    }
    return finish<H>(Op::apply(p, q, r), in);
  };
  each<u32>(w, in, mask, [&](int l) {
    u32 r = one(a[l], b[l], c[l]);
    if (packed) r |= one(a[l] >> 16, b[l] >> 16, c[l] >> 16) << 16;
    return r;
  });
}
// Of a NaN, neg and abs make the canonical one.
template <class H, bool packed, bool negate>
void sign(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const bool ftz = (in.imm & 1) != 0;
  const auto one = [&](u32 h) {
    if ((h & 0x7fffu) > H::infinity) return 0x7fffu;
    if (ftz && (h & H::infinity) == 0) h &= 0x8000u;
    return negate ? h ^ 0x8000u : h & 0x7fffu;
  };
  each<u32>(w, in, mask, [&](int l) { return one(a[l] & 0xffffu) | (packed ? one(a[l] >> 16) << 16 : 0u); });
}
// The lower or the upper half as a number, for comparisons.
template <class H, bool ftz>
double part(u32 bits, bool upper) {
  const double v = H::widen(upper ? bits >> 16 : bits & 0xffffu);
  return ftz ? flush_half(v) : v;
}
template <class H, bool ftz>
u32 compare_halves(const Warp& w, const Inst& in, bool upper) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  return compare_floats(
      static_cast<Compare>(in.sub), [&](int l) { return part<H, ftz>(a[l], upper); },
      [&](int l) { return part<H, ftz>(b[l], upper); });
}
template <class H, bool ftz>
void setp(Warp& w, const Inst& in, u32 mask) {
  finish_setp(w, in, mask, compare_halves<H, ftz>(w, in, false));
}
// setp.f16x2: the first predicate for the low halves, the second for the high ones.
template <class H, bool ftz>
void setp_packed(Warp& w, const Inst& in, u32 mask) {
  const u32 low = compare_halves<H, ftz>(w, in, false), high = compare_halves<H, ftz>(w, in, true);
  set_predicate(w, in.d, mask, combine(w, in, low));
  if ((in.flags & flag::has_e) != 0) set_predicate(w, in.e, mask, combine(w, in, high));
}
// set on halves: results are 1.0 and 0.0 of the destination type, or, when that is an integer (`ones`), all
// ones: of 32 bits for one half, of 16 for each of two.
template <class H, bool packed, bool ones, bool ftz>
void set_half(Warp& w, const Inst& in, u32 mask) {
  const u32 low = combine(w, in, compare_halves<H, ftz>(w, in, false));
  const u32 high = packed ? combine(w, in, compare_halves<H, ftz>(w, in, true)) : 0;
  const u32 one = ones ? (packed ? 0xffffu : full_mask) : H::narrow(1.0);
  each<u32>(w, in, mask, [&](int l) {
    return ((low >> l & 1u) != 0 ? one : 0u) | ((high >> l & 1u) != 0 ? one << 16 : 0u);
  });
}

template <class H, bool packed>
Handler find_typed(const Instruction& i) {
  const bool nan = i.mod.propagate_nan;
  const bool xorsign = i.mod.xorsign;
  switch (i.op) {
    case Opcode::add:
      return arithmetic<H, Add, packed>;
    case Opcode::sub:
      return arithmetic<H, Sub, packed>;
    case Opcode::mul:
      return arithmetic<H, Mul, packed>;
    case Opcode::fma:
      return i.mod.rest.empty() ? arithmetic<H, Fma, packed> : nullptr;
    case Opcode::min:
      if (xorsign) return nan ? arithmetic<H, XorSign<MinNan>, packed> : arithmetic<H, XorSign<Min>, packed>;
      return nan ? arithmetic<H, MinNan, packed> : arithmetic<H, Min, packed>;
    case Opcode::max:
      if (xorsign) return nan ? arithmetic<H, XorSign<MaxNan>, packed> : arithmetic<H, XorSign<Max>, packed>;
      return nan ? arithmetic<H, MaxNan, packed> : arithmetic<H, Max, packed>;
    case Opcode::neg:
      return sign<H, packed, true>;
    case Opcode::abs:
      return sign<H, packed, false>;
    case Opcode::ex2:
      return arithmetic<H, Ex2, packed>;
    case Opcode::tanh:
      return arithmetic<H, Tanh, packed>;
    case Opcode::setp:
      if (i.mod.ftz) return packed ? setp_packed<H, true> : setp<H, true>;
      return packed ? setp_packed<H, false> : setp<H, false>;
    default:
      return nullptr;
  }
}

template <bool ftz>
Handler find_set(const Instruction& i) {
  const Type s = i.mod.source_type;
  if (!ptx::is_float(i.mod.type) && ptx::size_of(i.mod.type) == 4)
    return s == Type::f16      ? set_half<F16, false, true, ftz>
           : s == Type::f16x2  ? set_half<F16, true, true, ftz>
           : s == Type::bf16   ? set_half<Bf16, false, true, ftz>
           : s == Type::bf16x2 ? set_half<Bf16, true, true, ftz>
                               : nullptr;
  if (i.mod.type != s) return nullptr;
  return s == Type::f16      ? set_half<F16, false, false, ftz>
         : s == Type::f16x2  ? set_half<F16, true, false, ftz>
         : s == Type::bf16   ? set_half<Bf16, false, false, ftz>
         : s == Type::bf16x2 ? set_half<Bf16, true, false, ftz>
                             : nullptr;
}

}  // namespace

Handler find_half(const Instruction& i) {
  if (i.op == Opcode::mov || i.op == Opcode::selp) return find_integer(i);
  if (i.op == Opcode::set) return i.mod.ftz ? find_set<true>(i) : find_set<false>(i);
  switch (i.mod.type) {
    case Type::f16:
      return find_typed<F16, false>(i);
    case Type::f16x2:
      return find_typed<F16, true>(i);
    case Type::bf16:
      return find_typed<Bf16, false>(i);
    case Type::bf16x2:
      return find_typed<Bf16, true>(i);
    default:
      return nullptr;
  }
}

}  // namespace workbook::sim::WORKBOOK_EXEC
