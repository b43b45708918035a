// The loops over 32 lanes that every handler is made of. Included by the exec_*.cpp files only, which are
// compiled once per instruction set, each time in a namespace of its own (WORKBOOK_EXEC).
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "ptx/ir.h"
#include "sim/warp.h"

#ifndef WORKBOOK_EXEC
#define WORKBOOK_EXEC exec_base
#endif

namespace workbook::sim::WORKBOOK_EXEC {

using ptx::Compare;
using ptx::Instruction;
using ptx::Opcode;
using ptx::Type;
using u8 = std::uint8_t;
using s8 = std::int8_t;
using u16 = std::uint16_t;
using s16 = std::int16_t;
using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;

// Rows hold 32 or 64 bits a lane.
template <class T>
using Storage = std::conditional_t<sizeof(T) == 8, u64, u32>;

template <class T>
[[gnu::always_inline]] inline T unpack(Storage<T> bits) {
  if constexpr (sizeof(T) >= 4)
    return std::bit_cast<T>(bits);
  else
    return static_cast<T>(bits);
}
template <class T>
[[gnu::always_inline]] inline Storage<T> pack(T value) {
  if constexpr (sizeof(T) >= 4)
    return std::bit_cast<Storage<T>>(value);
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

// d[l] = f(l) for the lanes of the mask. A destination row is either the same as a source row or apart from
// it, so lanes never depend on each other.
template <class D, class F>
[[gnu::always_inline]] inline void each(Warp& w, const Inst& in, u32 mask, F f) {
  auto* d = w.row<Storage<D>>(in.d);
  if (mask == full_mask) {
#pragma GCC ivdep
    for (int l = 0; l < lanes; ++l) d[l] = pack<D>(f(l));
  } else {
#pragma GCC ivdep
    for (int l = 0; l < lanes; ++l) {
      const auto r = pack<D>(f(l));
      d[l] = (mask >> l & 1u) != 0 ? r : d[l];
    }
  }
}

// A mask of the lanes where f holds.
template <class F>
[[gnu::always_inline]] inline u32 ballot(F f) {
  u32 bits = 0;
#pragma GCC ivdep
  for (int l = 0; l < lanes; ++l) bits |= static_cast<u32>(f(l)) << l;
  return bits;
}

[[gnu::always_inline]] inline void set_predicate(Warp& w, u32 number, u32 mask, u32 bits) {
  w.predicates[number] = (w.predicates[number] & ~mask) | (bits & mask);
}
[[gnu::always_inline]] inline u32 predicate(const Warp& w, u32 number, bool negated) {
  return w.predicates[number] ^ (negated ? full_mask : 0u);
}

template <class Op, class T>
void unary(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  each<T>(w, in, mask, [&](int l) { return Op::apply(unpack<T>(a[l])); });
}
template <class Op, class T>
void binary(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<Storage<T>>(in.b);
  each<T>(w, in, mask, [&](int l) { return Op::apply(unpack<T>(a[l]), unpack<T>(b[l])); });
}
template <class Op, class T>
void ternary(Warp& w, const Inst& in, u32 mask) {
  const auto* a = w.row<Storage<T>>(in.a);
  const auto* b = w.row<Storage<T>>(in.b);
  const auto* c = w.row<Storage<T>>(in.c);
  each<T>(w, in, mask, [&](int l) { return Op::apply(unpack<T>(a[l]), unpack<T>(b[l]), unpack<T>(c[l])); });
}

// The handler template H for the integer type; bit types count as unsigned.
#define WORKBOOK_BY_INTEGER(H, type) \
  [&]() -> Handler {                 \
    switch (type) {                  \
      case Type::u16:                \
      case Type::b16:                \
        return H(u16);               \
      case Type::s16:                \
        return H(s16);               \
      case Type::u32:                \
      case Type::b32:                \
        return H(u32);               \
      case Type::s32:                \
        return H(s32);               \
      case Type::u64:                \
      case Type::b64:                \
        return H(u64);               \
      case Type::s64:                \
        return H(s64);               \
      default:                       \
        return nullptr;              \
    }                                \
  }()

// What setp and set do with the outcome of a comparison: combine it with the third source.
[[gnu::always_inline]] inline u32 combine(const Warp& w, const Inst& in, u32 bits) {
  switch (static_cast<ptx::Combine>(in.imm)) {
    case ptx::Combine::and_:
      return bits & predicate(w, in.c, (in.flags & flag::not_c) != 0);
    case ptx::Combine::or_:
      return bits | predicate(w, in.c, (in.flags & flag::not_c) != 0);
    case ptx::Combine::xor_:
      return bits ^ predicate(w, in.c, (in.flags & flag::not_c) != 0);
    case ptx::Combine::none:
      break;
  }
  return bits;
}
inline void finish_setp(Warp& w, const Inst& in, u32 mask, u32 bits) {
  const u32 p = combine(w, in, bits);
  if ((in.flags & flag::has_e) != 0) set_predicate(w, in.e, mask, combine(w, in, ~bits));
  set_predicate(w, in.d, mask, p);
}

}  // namespace workbook::sim::WORKBOOK_EXEC
