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
  static double widen(u32 h) { return from_half(static_cast<u16>(h)); }
  static u32 narrow(double v) { return to_half(v); }
};
struct Bf16 {
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

// Inst::imm: bit 0 ftz, bit 1 sat, bit 2 relu.
template <class H>
u32 finish(double v, const Inst& in) {
  if ((in.imm & 2) != 0) v = saturate(v);
  if ((in.imm & 4) != 0 && v < 0) v = 0;
  u32 r = H::narrow(v);
  if ((in.imm & 1) != 0 && (r & 0x7c00u) == 0) r &= 0x8000u;
  return r;
}
template <class H, class Op, bool packed>
void arithmetic(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto* c = w.row<u32>(in.c);
  each<u32>(w, in, mask, [&](int l) {
    u32 r = finish<H>(Op::apply(H::widen(a[l] & 0xffffu), H::widen(b[l] & 0xffffu), H::widen(c[l] & 0xffffu)),
                      in);
    if (packed)
      r |= finish<H>(Op::apply(H::widen(a[l] >> 16), H::widen(b[l] >> 16), H::widen(c[l] >> 16)), in) << 16;
    return r;
  });
}
template <bool packed, bool negate>
void sign(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const u32 bits = packed ? 0x80008000u : 0x8000u;
  each<u32>(w, in, mask, [&](int l) { return negate ? a[l] ^ bits : a[l] & ~bits; });
}
template <class H>
void setp(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  finish_setp(w, in, mask,
              compare_floats(
                  static_cast<Compare>(in.sub), [&](int l) { return H::widen(a[l] & 0xffffu); },
                  [&](int l) { return H::widen(b[l] & 0xffffu); }));
}
// setp.f16x2: the first predicate for the low halves, the second for the high ones.
template <class H>
void setp_packed(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto how = static_cast<Compare>(in.sub);
  const u32 low = compare_floats(
      how, [&](int l) { return H::widen(a[l] & 0xffffu); }, [&](int l) { return H::widen(b[l] & 0xffffu); });
  const u32 high = compare_floats(
      how, [&](int l) { return H::widen(a[l] >> 16); }, [&](int l) { return H::widen(b[l] >> 16); });
  set_predicate(w, in.d, mask, combine(w, in, low));
  if ((in.flags & flag::has_e) != 0) set_predicate(w, in.e, mask, combine(w, in, high));
}
// set on halves: results are 1.0 and 0.0 of the destination type, or all ones.
template <class H, bool packed>
void set_half(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto how = static_cast<Compare>(in.sub);
  const u32 low = compare_floats(
      how, [&](int l) { return H::widen(a[l] & 0xffffu); }, [&](int l) { return H::widen(b[l] & 0xffffu); });
  const u32 high = packed ? compare_floats(
                                how, [&](int l) { return H::widen(a[l] >> 16); },
                                [&](int l) { return H::widen(b[l] >> 16); })
                          : 0;
  const u32 one = H::narrow(1.0);
  each<u32>(w, in, mask, [&](int l) {
    return ((low >> l & 1u) != 0 ? one : 0u) | ((high >> l & 1u) != 0 ? one << 16 : 0u);
  });
}

template <class H, bool packed>
Handler find_typed(const Instruction& i) {
  const bool nan = i.mod.propagate_nan;
  if (i.mod.rest.find("xorsign") != std::string::npos) return nullptr;
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
      return nan ? arithmetic<H, MinNan, packed> : arithmetic<H, Min, packed>;
    case Opcode::max:
      return nan ? arithmetic<H, MaxNan, packed> : arithmetic<H, Max, packed>;
    case Opcode::neg:
      return sign<packed, true>;
    case Opcode::abs:
      return sign<packed, false>;
    case Opcode::ex2:
      return arithmetic<H, Ex2, packed>;
    case Opcode::tanh:
      return arithmetic<H, Tanh, packed>;
    case Opcode::setp:
      return packed ? setp_packed<H> : setp<H>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler find_half(const Instruction& i) {
  if (i.op == Opcode::mov || i.op == Opcode::selp) return find_integer(i);
  if (i.op == Opcode::set) {
    const Type s = i.mod.source_type;
    if (i.mod.type != s) return nullptr;
    return s == Type::f16      ? set_half<F16, false>
           : s == Type::f16x2  ? set_half<F16, true>
           : s == Type::bf16   ? set_half<Bf16, false>
           : s == Type::bf16x2 ? set_half<Bf16, true>
                               : nullptr;
  }
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
