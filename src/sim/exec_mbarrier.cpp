#include "sim/exec_mbarrier.h"

#include <bit>
#include <cstring>

#include "sim/access.h"

namespace workbook::sim {
namespace {

constexpr std::uint64_t count_bits = 20, count_mask = (1u << count_bits) - 1;

struct Object {
  std::uint64_t pending = 0, expected = 0;
  bool odd = false, valid = false;

  static Object of(std::uint64_t bits) {
    return {bits & count_mask, bits >> count_bits & count_mask, (bits >> 40 & 1) != 0, (bits >> 41 & 1) != 0};
  }
  std::uint64_t bits() const {
    return pending | expected << count_bits | std::uint64_t{odd} << 40 | std::uint64_t{valid} << 41;
  }
  void complete_if_all_came() {
    if (pending != 0) return;
    pending = expected;
    odd = !odd;
  }
};

// What one lane's instruction makes of the object; empty text, or why it may not.
const char* apply(MbarrierOp op, Object& o, std::uint64_t b) {
  if (op != MbarrierOp::init && !o.valid)
    return "there is no mbarrier at this address: mbarrier.init has not made one";
  switch (op) {
    case MbarrierOp::init:
      if (b == 0 || b > count_mask) return "mbarrier.init needs a count from 1 to 1048575";
      o = {b, b, false, true};
      break;
    case MbarrierOp::inval:
      o = {};
      break;
    case MbarrierOp::arrive:
    case MbarrierOp::drop:
      if (b == 0 || b > o.pending) return "more threads arrive at this mbarrier than its count says";
      o.pending -= b;
      if (op == MbarrierOp::drop) o.expected -= b;
      o.complete_if_all_came();
      break;
    default:
      break;
  }
  return nullptr;
}

bool is_test(MbarrierOp op) {
  return op == MbarrierOp::test_state || op == MbarrierOp::test_parity;
}

}  // namespace

void mbarrier(Warp& w, const Inst& in, std::uint32_t mask) {
  const auto op = static_cast<MbarrierOp>(in.sub);
  const bool wide_b = op == MbarrierOp::test_state || op == MbarrierOp::pending_count;
  const auto value_of = [&](int l) -> std::uint64_t {
    if (in.b == ptx::no_index) return 1;
    return wide_b ? w.row<std::uint64_t>(in.b)[l] : w.row<std::uint32_t>(in.b)[l];
  };
  if (op == MbarrierOp::pending_count) {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const int l = std::countr_zero(rest);
      w.row<std::uint32_t>(in.d)[l] = static_cast<std::uint32_t>(Object::of(value_of(l)).pending);
    }
    return;
  }
  std::uint32_t offset[lanes] = {};
  const std::uint64_t base =
      static_cast<std::uint64_t>(in.imm) + (in.access.dynamic_shared ? w.block->dynamic_base : 0u);
  for (int l = 0; l < lanes; ++l)
    offset[l] = static_cast<std::uint32_t>(in.access.no_register    ? base
                                           : in.access.wide_address ? base + w.row<std::uint64_t>(in.a)[l]
                                                                    : base + w.row<std::uint32_t>(in.a)[l]);
  if (!prepare_shared(w, in, offset, mask, 8, op == MbarrierOp::init)) return;
  if (op == MbarrierOp::arrive || op == MbarrierOp::drop) order_before(w);
  const bool plain = op == MbarrierOp::init || op == MbarrierOp::inval;
  if (!check_shared_race(w, in, offset, mask, 8, plain, 0)) return;
  std::uint32_t holds = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    std::uint8_t* const at = w.block->shared.data() + offset[l];
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, 8);
    Object object = Object::of(bits);
    const std::uint64_t b = value_of(l);
    if (const char* why = apply(op, object, b); why != nullptr) {
      raise(w, in, FaultKind::illegal_instruction, 1u << l, offset[l] | shared_window, 8, true);
      w.block->fault->text = why;
      return;
    }
    if (op == MbarrierOp::test_state && object.odd != Object::of(b).odd) holds |= 1u << l;
    if (op == MbarrierOp::test_parity && object.odd != ((b & 1) != 0)) holds |= 1u << l;
    const std::uint64_t now = object.bits();
    if (!is_test(op)) std::memcpy(at, &now, 8);
    if (!is_test(op) && in.d != ptx::no_index) w.row<std::uint64_t>(in.d)[l] = bits;
  }
  if (is_test(op)) w.predicates[in.d] = (w.predicates[in.d] & ~mask) | (holds & mask);
}

}  // namespace workbook::sim
