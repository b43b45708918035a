// atom and red, on global and shared memory. The lanes of a warp go one after another, lowest first.
#include "sim/exec_atomic.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/access.h"
#include "sim/exec_float_ops.h"

namespace workbook::sim {
namespace {

using ptx::AtomicOp;
using ptx::Type;

template <class T>
T combine_integer(AtomicOp op, T old, T b, T c) {
  using U = std::make_unsigned_t<T>;
  switch (op) {
    case AtomicOp::add:
      return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
    case AtomicOp::min:
      return b < old ? b : old;
    case AtomicOp::max:
      return b > old ? b : old;
    case AtomicOp::inc:
      return static_cast<U>(old) >= static_cast<U>(b) ? T{0} : static_cast<T>(old + 1);
    case AtomicOp::dec:
      return old == 0 || static_cast<U>(old) > static_cast<U>(b) ? b : static_cast<T>(old - 1);
    case AtomicOp::and_:
      return old & b;
    case AtomicOp::or_:
      return old | b;
    case AtomicOp::xor_:
      return old ^ b;
    case AtomicOp::exch:
      return b;
    case AtomicOp::cas:
      return old == b ? c : old;
    case AtomicOp::none:
      break;
  }
  return old;
}

template <class T>
T combine_float(AtomicOp op, T old, T b) {
  if (op == AtomicOp::exch) return b;
  const T sum = old + b;
  if (sizeof(T) == 4 && sum != sum) return static_cast<T>(std::bit_cast<float>(0x7fffffffu));
  return sum;
}

// One lane's value after the operation; all types by their bits.
std::uint64_t apply(Type type, AtomicOp op, std::uint64_t old, std::uint64_t b, std::uint64_t c) {
  const auto u = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
  switch (type) {
    case Type::s32:
      return u(static_cast<std::uint64_t>(combine_integer(op, static_cast<std::int32_t>(u(old)),
                                                          static_cast<std::int32_t>(u(b)),
                                                          static_cast<std::int32_t>(u(c)))));
    case Type::u32:
    case Type::b32:
      return combine_integer(op, u(old), u(b), u(c));
    case Type::s64:
      return static_cast<std::uint64_t>(combine_integer(
          op, static_cast<std::int64_t>(old), static_cast<std::int64_t>(b), static_cast<std::int64_t>(c)));
    case Type::u64:
    case Type::b64:
      return combine_integer(op, old, b, c);
    case Type::b16:
      return static_cast<std::uint16_t>(u(old)) == static_cast<std::uint16_t>(u(b)) || op == AtomicOp::exch
                 ? (op == AtomicOp::exch ? b : c)
                 : old;
    case Type::f32:
      return std::bit_cast<std::uint32_t>(
          combine_float(op, std::bit_cast<float>(u(old)), std::bit_cast<float>(u(b))));
    case Type::f64:
      return std::bit_cast<std::uint64_t>(
          combine_float(op, std::bit_cast<double>(old), std::bit_cast<double>(b)));
    case Type::f16:
    case Type::f16x2: {
      const auto half = [](std::uint64_t x, std::uint64_t y) {
        return exec_base::to_half(static_cast<double>(exec_base::from_half(static_cast<std::uint16_t>(x))) +
                                  static_cast<double>(exec_base::from_half(static_cast<std::uint16_t>(y))));
      };
      const std::uint32_t low = half(old, b);
      return type == Type::f16 ? low : low | static_cast<std::uint32_t>(half(old >> 16, b >> 16)) << 16;
    }
    default:
      return old;
  }
}

bool is_supported(Type type, AtomicOp op) {
  switch (type) {
    case Type::f32:
    case Type::f64:
      return op == AtomicOp::add || op == AtomicOp::exch;
    case Type::f16:
    case Type::f16x2:
      return op == AtomicOp::add;
    case Type::b16:
      return op == AtomicOp::cas || op == AtomicOp::exch;
    case Type::s32:
    case Type::u32:
    case Type::b32:
    case Type::s64:
    case Type::u64:
    case Type::b64:
      return op != AtomicOp::none;
    default:
      return false;
  }
}

bool is_float_type(Type type) {
  return ptx::is_float(type);
}

struct Operands {
  const Inst& in;
  Type type;
  std::uint32_t size;
  std::uint64_t get(const Warp& w, std::uint32_t row, int l) const {
    return size == 8 ? w.row<std::uint64_t>(row)[l] : w.row<std::uint32_t>(row)[l];
  }
  // Runs the operation of lane l on the bytes at `host`.
  void run(Warp& w, int l, std::uint8_t* host) const {
    std::uint64_t old = 0;
    std::memcpy(&old, host, size);
    const std::uint64_t now = apply(type, in.access.atomic, old, get(w, in.b, l),
                                    in.access.atomic == AtomicOp::cas ? get(w, in.c, l) : 0);
    std::memcpy(host, &now, size);
    if (in.d == ptx::no_index) return;
    if (size == 8)
      w.row<std::uint64_t>(in.d)[l] = old;
    else
      w.row<std::uint32_t>(in.d)[l] = static_cast<std::uint32_t>(old);
  }
};

void global_atomic(Warp& w, const Operands& o, std::uint32_t mask, const std::uint64_t* at) {
  const Inst& in = o.in;
  Pattern p;
  p.mask = mask;
  p.bytes = o.size;
  p.low = ~0ull;
  bool uniform = true;
  const std::uint64_t start = at[std::countr_zero(mask)];
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t a = at[std::countr_zero(rest)];
    p.bits |= a;
    p.low = a < p.low ? a : p.low;
    p.high = a + o.size > p.high ? a + o.size : p.high;
    uniform = uniform && a == start;
  }
  if (uniform)
    p.kind = PatternKind::uniform;
  else
    p.heads = sector_heads(at, mask);
  Placed where;
  if (!prepare_global(w, in, at, p, true, where)) return;
  if (GlobalRaces* races = w.worker->launch->races; races != nullptr) {
    if (in.access.release) races->fence(*w.block);
    if (!check_global_race(w, in, at, p, false, 0)) return;
    for (std::uint32_t rest = uniform ? mask & -mask : mask; rest != 0; rest &= rest - 1) {
      races->acquire(*w.block, at[std::countr_zero(rest)]);
      races->publish(*w.block, at[std::countr_zero(rest)]);
    }
  }
  auto& hot = is_float_type(o.type) ? w.worker->hot_float : w.worker->hot_integer;
  if (uniform) hot[start] += count_lanes(mask);
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    if (!uniform) ++hot[at[l]];
    o.run(w, l, reinterpret_cast<std::uint8_t*>(at[l] + (where.split ? where.deltas[l] : where.delta)));
  }
}

void shared_atomic(Warp& w, const Operands& o, std::uint32_t mask, const std::uint64_t* at) {
  std::uint32_t offset[lanes] = {};
  for (int l = 0; l < lanes; ++l) offset[l] = static_cast<std::uint32_t>(at[l]);
  if (!prepare_shared(w, o.in, offset, mask, o.size, true)) return;
  if (!check_shared_race(w, o.in, offset, mask, o.size, false, 0)) return;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    o.run(w, l, w.block->shared.data() + offset[l]);
  }
  if (!w.worker->launch->reads_timer) return;
  // Who comes later to an address is later: warps don't run in the order of their clocks here.
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
    w.now = std::max(w.now, w.block->atomic_times[offset[std::countr_zero(rest)]]);
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
    w.block->atomic_times[offset[std::countr_zero(rest)]] = w.now;
}

template <Type type>
void atomic(Warp& w, const Inst& in, std::uint32_t mask) {
  const Operands o{in, type, static_cast<std::uint32_t>(ptx::size_of(type))};
  std::uint64_t at[lanes];
  const std::uint64_t offset =
      static_cast<std::uint64_t>(in.imm) + (in.access.dynamic_shared ? w.block->dynamic_base : 0u);
  for (int l = 0; l < lanes; ++l)
    at[l] = offset + (in.access.no_register    ? 0
                      : in.access.wide_address ? w.row<std::uint64_t>(in.a)[l]
                                               : w.row<std::uint32_t>(in.a)[l]);
  std::uint32_t rest = mask;
  while (rest != 0 && !w.block->fault) {
    ptx::Space space = in.access.space;
    std::uint32_t part = rest;
    if (space == ptx::Space::none || space == ptx::Space::generic) {
      space = space_of(at[std::countr_zero(rest)]);
      part = 0;
      for (int l = 0; l < lanes; ++l)
        if ((rest >> l & 1u) != 0 && space_of(at[l]) == space) part |= 1u << l;
    }
    rest &= ~part;
    if (space == ptx::Space::shared)
      shared_atomic(w, o, part, at);
    else if (space == ptx::Space::global)
      global_atomic(w, o, part, at);
    else
      raise(w, in, FaultKind::out_of_bounds, part, at[std::countr_zero(part)], o.size, true);
  }
}

}  // namespace

Handler find_atomic(const ptx::Instruction& i) {
  if (!is_supported(i.mod.type, i.mod.atomic) || i.mod.vector != 1) return nullptr;
  switch (i.mod.type) {
    case Type::s32:
      return atomic<Type::s32>;
    case Type::u32:
      return atomic<Type::u32>;
    case Type::b32:
      return atomic<Type::b32>;
    case Type::s64:
      return atomic<Type::s64>;
    case Type::u64:
      return atomic<Type::u64>;
    case Type::b64:
      return atomic<Type::b64>;
    case Type::b16:
      return atomic<Type::b16>;
    case Type::f32:
      return atomic<Type::f32>;
    case Type::f64:
      return atomic<Type::f64>;
    case Type::f16:
      return atomic<Type::f16>;
    case Type::f16x2:
      return atomic<Type::f16x2>;
    default:
      return nullptr;
  }
}

}  // namespace workbook::sim
