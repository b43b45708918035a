// Logic, shifts, bit fields, moves.
#include "sim/exec_common.h"
#include "sim/exec_tables.h"

namespace workbook::sim::WORKBOOK_EXEC {
namespace {

struct And {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  static T apply(T a) {
    return static_cast<T>(~a);
  }
};
struct Cnot {
  template <class T>
  static T apply(T a) {
    return static_cast<T>(a == 0 ? 1 : 0);
  }
};
struct Brev {
  template <class T>
  static T apply(T a) {
    T r = 0;
    for (unsigned k = 0; k < 8 * sizeof(T); ++k)
      r = static_cast<T>(r | (a >> k & 1u) << (8 * sizeof(T) - 1 - k));
    return r;
  }
};

template <int which>
void predicate_logic(Warp& w, const Inst& in, u32 mask) {
  const u32 a = predicate(w, in.a, (in.flags & flag::not_a) != 0);
  const u32 b = which == 3 ? 0 : predicate(w, in.b, (in.flags & flag::not_b) != 0);
  set_predicate(w, in.d, mask, which == 0 ? a & b : which == 1 ? a | b : which == 2 ? a ^ b : ~a);
}

// A shift's count is always 32 bits wide.
template <class T>
void shl(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<u32>(in.b);
  constexpr u32 bits = 8 * sizeof(T);
  each<T>(w, in, mask,
          [&](int l) { return b[l] < bits ? static_cast<T>(unpack<T>(a[l]) << (b[l] & (bits - 1))) : T{0}; });
}
template <class T>
void shr(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<u32>(in.b);
  constexpr u32 bits = 8 * sizeof(T);
  each<T>(w, in, mask, [&](int l) {
    const T x = unpack<T>(a[l]);
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(x >> (b[l] < bits ? b[l] : bits - 1));
    else
      return b[l] < bits ? static_cast<T>(x >> (b[l] & (bits - 1))) : T{0};
  });
}
// Inst::sub: bit 0 left, bit 1 wrap.
void funnel(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto* c = w.row<u32>(in.c);
  const bool left = (in.sub & 1) != 0, wrap = (in.sub & 2) != 0;
  each<u32>(w, in, mask, [&](int l) {
    const u64 pair = u64{b[l]} << 32 | a[l];
    const u32 n = wrap ? c[l] & 31u : c[l] > 32 ? 32u : c[l];
    return static_cast<u32>(left ? pair << n >> 32 : pair >> n);
  });
}
void lop3(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto* c = w.row<u32>(in.c);
  u32 term[8];
  for (int k = 0; k < 8; ++k) term[k] = (in.imm >> k & 1) != 0 ? full_mask : 0;
  each<u32>(w, in, mask, [&](int l) {
    const u32 x = a[l], y = b[l], z = c[l];
    return (~x & ~y & ~z & term[0]) | (~x & ~y & z & term[1]) | (~x & y & ~z & term[2]) |
           (~x & y & z & term[3]) | (x & ~y & ~z & term[4]) | (x & ~y & z & term[5]) |
           (x & y & ~z & term[6]) | (x & y & z & term[7]);
  });
}

// lop3.and, lop3.or: the result, and a predicate: (result != 0) combined with another predicate (Inst::sub).
void lop3_predicate(Warp& w, const Inst& in, u32 mask) {
  const u32 q = predicate(w, in.target, (in.flags & flag::not_c) != 0);
  lop3(w, in, mask);
  const auto* d = w.row<u32>(in.d);
  const u32 set = ballot([&](int l) { return d[l] != 0; });
  set_predicate(w, in.e, mask, static_cast<ptx::Combine>(in.sub) == ptx::Combine::and_ ? set & q : set | q);
}
// fns: the place of the n-th set bit of a, counted from b upwards (n > 0) or downwards (n < 0).
void find_nth(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto* c = w.row<u32>(in.c);
  each<u32>(w, in, mask, [&](int l) {
    const s32 n = static_cast<s32>(c[l]);
    if (b[l] > 31) return full_mask;
    if (n == 0) return (a[l] >> b[l] & 1u) != 0 ? b[l] : full_mask;
    u32 left = n > 0 ? static_cast<u32>(n) : 0u - static_cast<u32>(n);
    for (u32 at = b[l]; at<32; n> 0 ? ++at : --at)
      if ((a[l] >> at & 1u) != 0 && --left == 0) return at;
    return full_mask;
  });
}
template <class T>
void extend(Warp& w, const Inst& in, u32 mask) {  // szext; Inst::sub: wrap
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const bool wrap = in.sub != 0;
  each<u32>(w, in, mask, [&](int l) {
    const u32 bits = wrap ? b[l] & 31u : b[l];
    if (bits == 0) return 0u;
    if (bits >= 32) return a[l];
    const u32 unused = 32 - bits;
    return static_cast<u32>(static_cast<T>(a[l] << unused) >> unused);
  });
}

template <class T>
void bfe(Warp& w, const Inst& in, u32 mask) {
  using U = std::make_unsigned_t<T>;
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto* c = w.row<u32>(in.c);
  constexpr u32 bits = 8 * sizeof(T);
  each<T>(w, in, mask, [&](int l) {
    const U x = static_cast<U>(unpack<T>(a[l]));
    const u32 at = b[l] & 255u, length = c[l] & 255u;
    if (length == 0) return T{0};
    const u32 last =
        at + length - 1 < bits - 1 ? at + length - 1 : bits - 1;  // also where the sign comes from
    const bool negative = std::is_signed_v<T> && (x >> last & 1u) != 0;
    U r = at < bits ? x >> at : 0;
    if (length < bits) r &= (U{1} << length) - 1;
    const u32 valid = at < bits ? (length < bits - at ? length : bits - at) : 0;
    if (negative && valid < bits) r |= ~U{0} << valid;
    return static_cast<T>(r);
  });
}
template <class T>
void bfi(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<T>(in.a);
  const auto* b = w.row<T>(in.b);
  const auto* c = w.row<u32>(in.c);
  const auto* e = w.row<u32>(in.e);
  constexpr u32 bits = 8 * sizeof(T);
  each<T>(w, in, mask, [&](int l) {
    const u32 at = c[l] & 255u, length = e[l] & 255u;
    if (length == 0 || at >= bits) return b[l];
    const T ones = length < bits ? static_cast<T>((T{1} << length) - 1) : static_cast<T>(~T{0});
    return static_cast<T>((b[l] & ~(ones << at)) | (a[l] & ones) << at);
  });
}
template <class T>
void bfind(Warp& w, const Inst& in, u32 mask) {
  using U = std::make_unsigned_t<T>;
  const auto* a = w.row<Storage<T>>(in.a);
  const bool amount = in.sub != 0;
  each<u32>(w, in, mask, [&](int l) {
    T x = unpack<T>(a[l]);
    if (std::is_signed_v<T> && x < 0) x = static_cast<T>(~x);
    const int zeros = std::countl_zero(static_cast<U>(x)), top = static_cast<int>(8 * sizeof(T)) - 1;
    if (x == 0) return full_mask;
    return static_cast<u32>(amount ? zeros : top - zeros);
  });
}
template <class T>
void clz(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<T>(in.a);
  each<u32>(w, in, mask, [&](int l) { return static_cast<u32>(std::countl_zero(a[l])); });
}
template <class T>
void popc(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<T>(in.a);
  each<u32>(w, in, mask, [&](int l) { return static_cast<u32>(std::popcount(a[l])); });
}

u32 permute(u32 a, u32 b, u32 selector) {
  const u64 bytes = u64{b} << 32 | a;
  u32 r = 0;
  for (int k = 0; k < 4; ++k) {
    const u32 pick = selector >> 4 * k & 15u;
    u32 byte = static_cast<u32>(bytes >> 8 * (pick & 7u)) & 255u;
    if ((pick & 8u) != 0) byte = (byte & 0x80u) != 0 ? 0xffu : 0;
    r |= byte << 8 * k;
  }
  return r;
}
// The special modes as selectors for the general one, by the low two bits of c.
constexpr u32 permute_modes[6][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543},  // f4e
    {0x5670, 0x6701, 0x7012, 0x0123},  // b4e
    {0x0000, 0x1111, 0x2222, 0x3333},  // rc8
    {0x3210, 0x3211, 0x3222, 0x3333},  // ecl
    {0x0000, 0x1110, 0x2210, 0x3210},  // ecr
    {0x1010, 0x3232, 0x1010, 0x3232},  // rc16
};
void prmt(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const auto* c = w.row<u32>(in.c);
  const int mode = in.sub;
  each<u32>(w, in, mask, [&](int l) {
    return permute(a[l], b[l], mode == 0 ? c[l] : permute_modes[mode - 1][c[l] & 3u]);
  });
}
void bmsk(Warp& w, const Inst& in, u32 mask) {  // Inst::sub: wrap
  const auto* a = w.row<u32>(in.a);
  const auto* b = w.row<u32>(in.b);
  const bool wrap = in.sub != 0;
  each<u32>(w, in, mask, [&](int l) {
    const u32 at = wrap ? a[l] & 31u : a[l], length = wrap ? b[l] & 31u : b[l];
    if (at >= 32 || length == 0) return 0u;
    return (length >= 32 ? full_mask : (1u << length) - 1) << at;
  });
}

void move_narrow(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u32>(in.a);
  each<u32>(w, in, mask, [&](int l) { return a[l]; });
}
void move_wide(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<u64>(in.a);
  each<u64>(w, in, mask, [&](int l) { return a[l]; });
}
void move_predicate(Warp& w, const Inst& in, u32 mask) {
  set_predicate(w, in.d, mask, predicate(w, in.a, (in.flags & flag::not_a) != 0));
}

Handler find_logic(const Instruction& i) {
  const Type t = i.mod.type;
  if (t == Type::pred) {
    switch (i.op) {
      case Opcode::and_:
        return predicate_logic<0>;
      case Opcode::or_:
        return predicate_logic<1>;
      case Opcode::xor_:
        return predicate_logic<2>;
      case Opcode::not_:
        return predicate_logic<3>;
      default:
        return nullptr;
    }
  }
  const int size = ptx::size_of(t);
#define PICK(H) (size == 2 ? H(u16) : size == 4 ? H(u32) : size == 8 ? H(u64) : nullptr)
#define H_AND(T) binary<And, T>
#define H_OR(T) binary<Or, T>
#define H_XOR(T) binary<Xor, T>
#define H_NOT(T) unary<Not, T>
#define H_CNOT(T) unary<Cnot, T>
  switch (i.op) {
    case Opcode::and_:
      return PICK(H_AND);
    case Opcode::or_:
      return PICK(H_OR);
    case Opcode::xor_:
      return PICK(H_XOR);
    case Opcode::not_:
      return PICK(H_NOT);
    case Opcode::cnot:
      return PICK(H_CNOT);
    default:
      return nullptr;
  }
}

}  // namespace

Handler find_bits(const Instruction& i) {
  const Type t = i.mod.type;
  const int size = ptx::size_of(t);
#define H_SHL(T) shl<T>
#define H_SHR(T) shr<T>
  switch (i.op) {
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::cnot:
      return find_logic(i);
    case Opcode::lop3:
      return i.operands.size() == 5 ? lop3 : i.mod.combine != ptx::Combine::xor_ ? lop3_predicate : nullptr;
    case Opcode::fns:
      return find_nth;
    case Opcode::szext:
      return t == Type::s32 ? extend<s32> : t == Type::u32 ? extend<u32> : nullptr;
    case Opcode::shl:
      return PICK(H_SHL);
    case Opcode::shr:
      return WORKBOOK_BY_INTEGER(H_SHR, t);
    case Opcode::shf:
      return funnel;
    case Opcode::bfe:
      return t == Type::u32   ? bfe<u32>
             : t == Type::s32 ? bfe<s32>
             : t == Type::u64 ? bfe<u64>
             : t == Type::s64 ? bfe<s64>
                              : nullptr;
    case Opcode::bfi:
      return size == 4 ? bfi<u32> : size == 8 ? bfi<u64> : nullptr;
    case Opcode::bfind:
      return t == Type::u32   ? bfind<u32>
             : t == Type::s32 ? bfind<s32>
             : t == Type::u64 ? bfind<u64>
             : t == Type::s64 ? bfind<s64>
                              : nullptr;
    case Opcode::brev:
      return size == 4 ? unary<Brev, u32> : size == 8 ? unary<Brev, u64> : nullptr;
    case Opcode::clz:
      return size == 4 ? clz<u32> : size == 8 ? clz<u64> : nullptr;
    case Opcode::popc:
      return size == 4 ? popc<u32> : size == 8 ? popc<u64> : nullptr;
    case Opcode::prmt:
      return prmt;
    case Opcode::bmsk:
      return bmsk;
    case Opcode::mov:
      return t == Type::pred ? move_predicate : size == 8 ? move_wide : move_narrow;
    default:
      return nullptr;
  }
}

}  // namespace workbook::sim::WORKBOOK_EXEC
