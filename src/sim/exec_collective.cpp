// What the lanes of a warp do together: shfl, vote, match, redux, activemask, elect.
//
// The warp loop has seen to it that the lanes the mask names are here (or have ended).
#include "sim/access.h"
#include "sim/exec_common.h"
#include "sim/exec_tables.h"

namespace workbook::sim::WORKBOOK_EXEC {
namespace {

// The value that a lane reads which is not taking part: loud, so that it is seen.
constexpr u32 nobody = 0xffffffffu;

u32 named(const Warp& w, const Inst& in, u32 mask) {
  if (in.imm < 0) return mask;
  return w.row<u32>(static_cast<u32>(in.imm))[std::countr_zero(mask)] & mask;
}

void shuffle(Warp& w, const Inst& in, u32 mask) {
  const u32* a = w.row<u32>(in.a);
  const u32* b = w.row<u32>(in.b);
  const u32* c = w.row<u32>(in.c);
  const u32 here = named(w, in, mask);
  const u32 ended = in.imm < 0 ? 0 : w.row<u32>(static_cast<u32>(in.imm))[std::countr_zero(mask)] & ~w.alive;
  u32 result[lanes], in_range = 0, readers = 0, sources = 0;
  for (u32 l = 0; l < lanes; ++l) {
    const u32 by = b[l] & 31u, clamp = c[l] & 31u, segment = c[l] >> 8 & 31u;
    const u32 last = (l & segment) | (clamp & ~segment), first = l & segment;
    u32 from = l;
    bool ok = false;
    switch (static_cast<ptx::ShuffleMode>(in.sub)) {
      case ptx::ShuffleMode::up:
        from = l - by;
        ok = static_cast<s32>(from) >= static_cast<s32>(last);
        break;
      case ptx::ShuffleMode::down:
        from = l + by;
        ok = from <= last;
        break;
      case ptx::ShuffleMode::bfly:
        from = l ^ by;
        ok = from <= last;
        break;
      case ptx::ShuffleMode::idx:
        from = first | (by & ~segment);
        ok = from <= last;
        break;
      case ptx::ShuffleMode::none:
        break;
    }
    if (!ok) from = l;
    result[l] = (here >> from & 1u) != 0 || from == l ? a[from & 31u] : nobody;
    in_range |= static_cast<u32>(ok) << l;
    if ((ended >> from & 1u & mask >> l) != 0) {
      readers |= 1u << l;
      sources |= 1u << from;
    }
  }
  if (readers != 0) note_absent_source(w, in, readers, sources, ended);
  each<u32>(w, in, mask, [&](int l) { return result[l]; });
  if ((in.flags & flag::has_e) != 0) set_predicate(w, in.e, mask, in_range);
}

void vote(Warp& w, const Inst& in, u32 mask) {
  const u32 here = named(w, in, mask), p = predicate(w, in.a, (in.flags & flag::not_a) != 0) & here;
  bool r = false;
  switch (static_cast<ptx::VoteMode>(in.sub)) {
    case ptx::VoteMode::all:
      r = p == here;
      break;
    case ptx::VoteMode::any:
      r = p != 0;
      break;
    case ptx::VoteMode::uni:
      r = p == here || p == 0;
      break;
    default:
      each<u32>(w, in, mask, [&](int) { return p; });
      return;
  }
  set_predicate(w, in.d, mask, r ? full_mask : 0);
}

template <class T>
void match(Warp& w, const Inst& in, u32 mask) {
  const T* a = w.row<T>(in.a);
  const u32 here = named(w, in, mask);
  u32 result[lanes] = {};
  u32 agree = full_mask;
  for (int l = 0; l < lanes; ++l) {
    if ((here >> l & 1u) == 0) continue;
    for (int k = 0; k < lanes; ++k)
      if ((here >> k & 1u) != 0 && a[k] == a[l]) result[l] |= 1u << k;
    if (result[l] != here) agree = 0;
  }
  if (static_cast<ptx::VoteMode>(in.sub) == ptx::VoteMode::all) {
    each<u32>(w, in, mask, [&](int) { return agree != 0 ? here : 0u; });
    if ((in.flags & flag::has_e) != 0) set_predicate(w, in.e, mask, agree);
    return;
  }
  each<u32>(w, in, mask, [&](int l) { return result[l]; });
}

template <class T>
void redux(Warp& w, const Inst& in, u32 mask) {
  const u32* a = w.row<u32>(in.a);
  const u32 here = named(w, in, mask);
  T r = static_cast<T>(a[std::countr_zero(here)]);
  for (u32 rest = here & (here - 1); rest != 0; rest &= rest - 1) {
    const T v = static_cast<T>(a[std::countr_zero(rest)]);
    switch (static_cast<ptx::AtomicOp>(in.sub)) {
      case ptx::AtomicOp::add:
        r = static_cast<T>(static_cast<u32>(r) + static_cast<u32>(v));
        break;
      case ptx::AtomicOp::min:
        r = v < r ? v : r;
        break;
      case ptx::AtomicOp::max:
        r = v > r ? v : r;
        break;
      case ptx::AtomicOp::and_:
        r = static_cast<T>(r & v);
        break;
      case ptx::AtomicOp::or_:
        r = static_cast<T>(r | v);
        break;
      case ptx::AtomicOp::xor_:
        r = static_cast<T>(r ^ v);
        break;
      default:
        break;
    }
  }
  each<u32>(w, in, mask, [&](int) { return static_cast<u32>(r); });
}

void active_mask(Warp& w, const Inst& in, u32 mask) {
  each<u32>(w, in, mask, [&](int) { return mask; });
}

void elect(Warp& w, const Inst& in, u32 mask) {
  const u32 here = named(w, in, mask), leader = static_cast<u32>(std::countr_zero(here));
  if (in.d != ptx::no_index) each<u32>(w, in, mask, [&](int) { return leader; });
  set_predicate(w, in.e, mask, 1u << leader);
}

void nothing(Warp&, const Inst&, u32) {}

}  // namespace

Handler find_collective(const Instruction& i) {
  switch (i.op) {
    case Opcode::shfl:
      return shuffle;
    case Opcode::vote:
      return vote;
    case Opcode::match:
      return ptx::size_of(i.mod.type) == 8 ? match<u64> : match<u32>;
    case Opcode::redux:
      return i.mod.type == Type::s32                              ? redux<s32>
             : i.mod.type == Type::u32 || i.mod.type == Type::b32 ? redux<u32>
                                                                  : nullptr;
    case Opcode::activemask:
      return active_mask;
    case Opcode::elect:
      return elect;
    case Opcode::bar_warp_sync:
      return nothing;
    default:
      return nullptr;
  }
}

}  // namespace workbook::sim::WORKBOOK_EXEC
