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

// On global memory f32 addition flushes subnormals, on shared memory it keeps them.
template <class T>
T combine_float(AtomicOp op, T old, T b, bool ftz) {
  if (op == AtomicOp::exch) return b;
  T sum = old + b;
  if constexpr (sizeof(T) == 4)
    if (ftz) sum = exec_base::flush(exec_base::flush(old) + exec_base::flush(b));
  if (sizeof(T) == 4 && sum != sum) return static_cast<T>(std::bit_cast<float>(0x7fffffffu));
  return sum;
}

// One half; min and max let a NaN lose, as on its own.
std::uint32_t combine_half(Type type, AtomicOp op, std::uint64_t old, std::uint64_t b) {
  const bool brain = type == Type::bf16 || type == Type::bf16x2;
  const auto widen = [&](std::uint64_t x) {
    const auto h = static_cast<std::uint16_t>(x);
    return static_cast<double>(brain ? exec_base::from_bfloat(h) : exec_base::from_half(h));
  };
  const double x = widen(old), y = widen(b);
  const double r = op == AtomicOp::min   ? exec_base::minimum(x, y)
                   : op == AtomicOp::max ? exec_base::maximum(x, y)
                                         : x + y;
  return brain ? exec_base::to_bfloat(r) : exec_base::to_half(r);
}

// One lane's value after the operation; all types by their bits.
std::uint64_t apply(Type type, AtomicOp op, std::uint64_t old, std::uint64_t b, std::uint64_t c, bool ftz) {
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
          combine_float(op, std::bit_cast<float>(u(old)), std::bit_cast<float>(u(b)), ftz));
    case Type::f64:
      return std::bit_cast<std::uint64_t>(
          combine_float(op, std::bit_cast<double>(old), std::bit_cast<double>(b), false));
    case Type::f16:
    case Type::bf16:
      return combine_half(type, op, old, b);
    case Type::f16x2:
    case Type::bf16x2:
      return combine_half(type, op, old, b) | combine_half(type, op, old >> 16, b >> 16) << 16;
    default:
      return old;
  }
}

bool is_supported(Type type, AtomicOp op, bool is_vector) {
  switch (type) {
    case Type::f32:
    case Type::f64:
      return op == AtomicOp::add || op == AtomicOp::exch;
    case Type::f16:
    case Type::f16x2:
    case Type::bf16:
    case Type::bf16x2:
      return op == AtomicOp::add || (is_vector && (op == AtomicOp::min || op == AtomicOp::max));
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
  // Runs the operation of lane l on the bytes at `host`. The elements of a vector are operations of their
  // own.
  void run(Warp& w, int l, std::uint8_t* host, bool ftz) const {
    if (in.access.count > 1) return run_vector(w, l, host, ftz);
    std::uint64_t old = 0;
    std::memcpy(&old, host, size);
    const std::uint64_t now = apply(type, in.access.atomic, old, get(w, in.b, l),
                                    in.access.atomic == AtomicOp::cas ? get(w, in.c, l) : 0, ftz);
    std::memcpy(host, &now, size);
    w.changed_memory |= now != old;
    if (in.d == ptx::no_index) return;
    if (size == 8)
      w.row<std::uint64_t>(in.d)[l] = old;
    else
      w.row<std::uint32_t>(in.d)[l] = static_cast<std::uint32_t>(old);
  }
  // The rows of the results come first in the list, if there are any; then those of the operands.
  void run_vector(Warp& w, int l, std::uint8_t* host, bool ftz) const {
    const Row* rows = w.frame->code->rows.data() + in.list.first;
    const Row* operands = rows + in.list.count;
    for (std::uint32_t e = 0; e < in.access.count; ++e, host += size) {
      std::uint64_t old = 0;
      std::memcpy(&old, host, size);
      const std::uint64_t now = apply(type, in.access.atomic, old, get(w, operands[e].offset, l), 0, ftz);
      std::memcpy(host, &now, size);
      w.changed_memory |= now != old;
      if (e < in.list.count && rows[e].offset != ptx::no_index)
        w.row<std::uint32_t>(rows[e].offset)[l] = static_cast<std::uint32_t>(old);
    }
  }
  std::uint32_t bytes() const { return size * in.access.count; }
};

void global_atomic(Warp& w, const Operands& o, std::uint32_t mask, const std::uint64_t* at) {
  const Inst& in = o.in;
  Pattern p;
  p.mask = mask;
  p.bytes = o.bytes();
  p.low = ~0ull;
  bool uniform = true;
  const std::uint64_t start = at[std::countr_zero(mask)];
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t a = at[std::countr_zero(rest)];
    p.bits |= a;
    p.low = a < p.low ? a : p.low;
    p.high = a + o.bytes() > p.high ? a + o.bytes() : p.high;
    uniform = uniform && a == start;
  }
  if (uniform)
    p.kind = PatternKind::uniform;
  else
    p.heads = sector_heads(at, mask);
  Placed where;
  if (!prepare_global(w, in, at, p, true, where)) return;
  if (in.access.release) order_before(w);
  if (GlobalRaces* races = w.worker->launch->races; races != nullptr) {
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
    o.run(w, l, reinterpret_cast<std::uint8_t*>(at[l] + (where.split ? where.deltas[l] : where.delta)), true);
  }
}

void shared_atomic(Warp& w, const Operands& o, std::uint32_t mask, const std::uint64_t* at) {
  std::uint32_t offset[lanes] = {};
  for (int l = 0; l < lanes; ++l) offset[l] = static_cast<std::uint32_t>(at[l]);
  if (!prepare_shared(w, o.in, offset, mask, o.bytes(), true)) return;
  if (o.in.access.release) order_before(w);
  if (!check_shared_race(w, o.in, offset, mask, o.bytes(), false, 0)) return;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    o.run(w, l, w.block->shared.data() + offset[l], false);
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
    at[l] = in.access.no_register    ? offset
            : in.access.wide_address ? offset + w.row<std::uint64_t>(in.a)[l]
                                     : static_cast<std::uint32_t>(offset + w.row<std::uint32_t>(in.a)[l]);
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
      raise(w, in, FaultKind::out_of_bounds, part, at[std::countr_zero(part)], o.bytes(), true);
  }
}

}  // namespace

Handler find_atomic(const ptx::Instruction& i) {
  if (!is_supported(i.mod.type, i.mod.atomic, i.mod.vector != 1)) return nullptr;
  if (i.mod.vector != 1 && (!ptx::is_float(i.mod.type) || i.mod.type == Type::f64)) return nullptr;
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
    case Type::bf16:
      return atomic<Type::bf16>;
    case Type::bf16x2:
      return atomic<Type::bf16x2>;
    default:
      return nullptr;
  }
}

}  // namespace workbook::sim
