#include "sim/exec_special.h"

#include <bit>
#include <cstring>

#include "sim/access.h"

namespace workbook::sim {

namespace {

void put(Warp& w, const Inst& in, int l, std::uint64_t v) {
  if ((in.flags & flag::wide_d) != 0)
    w.row<std::uint64_t>(in.d)[l] = v;
  else
    w.row<std::uint32_t>(in.d)[l] = static_cast<std::uint32_t>(v);
}

std::uint64_t cycles(const Warp& w) {
  return w.now >> 16;
}

std::uint64_t nanoseconds(const Warp& w) {
  const LaunchState& launch = *w.worker->launch;
  return launch.spec->start_ns + (w.block->begun + cycles(w)) * 1'000'000 / launch.limits->clock_khz;
}

// Environment registers 1 and 2 hold the address of a cooperative grid's workspace (high and low half).
std::uint64_t environment(const Warp& w, std::uint32_t number) {
  const std::uint64_t at = w.worker->launch->grid_workspace;
  return number == 1 ? at >> 32 : number == 2 ? at & 0xffffffffu : 0;
}

// dispatch: one row a special register
std::uint64_t special_value(const Warp& w, ptx::Special special, std::uint32_t l) {
  using S = ptx::Special;
  const LaunchState& launch = *w.worker->launch;
  const LaunchSpec& spec = *launch.spec;
  const std::uint32_t thread = w.index * lanes + l, bit = 1u << l;
  switch (special) {
    case S::tid_x:
      return launch.tids[0][thread];
    case S::tid_y:
      return launch.tids[1][thread];
    case S::tid_z:
      return launch.tids[2][thread];
    case S::ntid_x:
      return spec.block.x;
    case S::ntid_y:
      return spec.block.y;
    case S::ntid_z:
      return spec.block.z;
    case S::ctaid_x:
      return w.block->index[0];
    case S::ctaid_y:
      return w.block->index[1];
    case S::ctaid_z:
      return w.block->index[2];
    case S::nctaid_x:
      return spec.grid.x;
    case S::nctaid_y:
      return spec.grid.y;
    case S::nctaid_z:
      return spec.grid.z;
    case S::laneid:
      return l;
    case S::warpid:
      return w.index;
    case S::nwarpid:
      return launch.warps;
    case S::smid:
      return w.block->sm;
    case S::nsmid:
      return launch.limits->sm_count;
    case S::gridid:
      return launch.grid_id;
    case S::lanemask_eq:
      return bit;
    case S::lanemask_lt:
      return bit - 1;
    case S::lanemask_le:
      return bit | (bit - 1);
    case S::lanemask_ge:
      return ~(bit - 1);
    case S::lanemask_gt:
      return ~(bit | (bit - 1));
    case S::clock:
    case S::clock64:
      return launch.first_cycle + cycles(w);
    case S::clock_hi:
      return (launch.first_cycle + cycles(w)) >> 32;
    case S::globaltimer:
    case S::globaltimer_lo:
      return nanoseconds(w);
    case S::globaltimer_hi:
      return nanoseconds(w) >> 32;
    case S::total_smem_size:
    case S::aggr_smem_size:
      return launch.shared_bytes;
    case S::dynamic_smem_size:
      return spec.dynamic_shared_bytes;
    // Without clusters every block is a cluster of its own.
    case S::nclusterid_x:
      return spec.grid.x;
    case S::nclusterid_y:
      return spec.grid.y;
    case S::nclusterid_z:
      return spec.grid.z;
    case S::clusterid_x:
      return w.block->index[0];
    case S::clusterid_y:
      return w.block->index[1];
    case S::clusterid_z:
      return w.block->index[2];
    case S::cluster_nctaid_x:
    case S::cluster_nctaid_y:
    case S::cluster_nctaid_z:
    case S::cluster_nctarank:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

void read_special(Warp& w, const Inst& in, std::uint32_t mask) {
  const auto special = static_cast<ptx::Special>(in.sub);
  const int axis = static_cast<int>(special) - static_cast<int>(ptx::Special::tid_x);
  if (axis >= 0 && axis < 3 && mask == full_mask && (in.flags & flag::wide_d) == 0) {
    std::memcpy(w.row<std::uint32_t>(in.d),
                w.worker->launch->tids[static_cast<std::size_t>(axis)].data() + w.index * lanes, narrow_row);
    return;
  }
  if (special < ptx::Special::ntid_x || special == ptx::Special::laneid ||
      (special >= ptx::Special::lanemask_eq && special <= ptx::Special::lanemask_gt)) {
    for (int l = 0; l < lanes; ++l)
      if ((mask >> l & 1u) != 0) put(w, in, l, special_value(w, special, static_cast<std::uint32_t>(l)));
    return;
  }
  const std::uint64_t v =
      special == ptx::Special::envreg ? environment(w, in.target) : special_value(w, special, 0);
  if (mask == full_mask && (in.flags & flag::wide_d) == 0) {
    std::uint32_t* d = w.row<std::uint32_t>(in.d);
    for (int l = 0; l < lanes; ++l) d[l] = static_cast<std::uint32_t>(v);
    return;
  }
  for (int l = 0; l < lanes; ++l)
    if ((mask >> l & 1u) != 0) put(w, in, l, v);
}

void frame_address(Warp& w, const Inst& in, std::uint32_t mask) {
  for (int l = 0; l < lanes; ++l)
    if ((mask >> l & 1u) != 0) put(w, in, l, w.frame->local_base + static_cast<std::uint64_t>(in.imm));
}

void dynamic_shared(Warp& w, const Inst& in, std::uint32_t mask) {
  for (int l = 0; l < lanes; ++l)
    if ((mask >> l & 1u) != 0) put(w, in, l, w.block->dynamic_base + static_cast<std::uint64_t>(in.imm));
}

void pack_vector(Warp& w, const Inst& in, std::uint32_t mask) {
  const Row* rows = w.frame->code->rows.data() + in.list.first;
  const std::uint32_t bits = in.sub;  // of one element
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1u) == 0) continue;
    std::uint64_t v = 0;
    for (std::uint32_t e = 0; e < in.list.count; ++e) {
      const std::uint64_t part =
          rows[e].wide ? w.row<std::uint64_t>(rows[e].offset)[l] : w.row<std::uint32_t>(rows[e].offset)[l];
      v |= (bits == 64 ? part : part & ((1ull << bits) - 1)) << e * bits;
    }
    put(w, in, l, v);
  }
}

void unpack_vector(Warp& w, const Inst& in, std::uint32_t mask) {
  const Row* rows = w.frame->code->rows.data() + in.list.first;
  const std::uint32_t bits = in.sub;
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1u) == 0) continue;
    const std::uint64_t v =
        (in.flags & flag::wide_a) != 0 ? w.row<std::uint64_t>(in.a)[l] : w.row<std::uint32_t>(in.a)[l];
    for (std::uint32_t e = 0; e < in.list.count; ++e) {
      if (rows[e].offset == ptx::no_index) continue;
      const std::uint64_t part = bits == 64 ? v : v >> e * bits & ((1ull << bits) - 1);
      if (rows[e].wide)
        w.row<std::uint64_t>(rows[e].offset)[l] = part;
      else
        w.row<std::uint32_t>(rows[e].offset)[l] = static_cast<std::uint32_t>(part);
    }
  }
}

void is_space(Warp& w, const Inst& in, std::uint32_t mask) {
  std::uint32_t bits = 0;
  for (int l = 0; l < lanes; ++l) {
    const std::uint64_t address = w.row<std::uint64_t>(in.a)[l];
    ptx::Space space = space_of(address);
    // Constant variables lie in device memory here; a program is told what it would be told by a GPU.
    if (space == ptx::Space::global) {
      const Allocation* holder = w.worker->launch->memory->find(address);
      if (holder != nullptr && holder->read_only) space = ptx::Space::constant;
    }
    if (space == static_cast<ptx::Space>(in.sub)) bits |= 1u << l;
  }
  w.predicates[in.d] = (w.predicates[in.d] & ~mask) | (bits & mask);
}

void no_effect(Warp&, const Inst&, std::uint32_t) {}

// Done at once: a program that waits as it must can't tell. Inst::imm: bytes; Inst::c: row of the source
// size, or no_index; Inst::e with has_e: predicate by which the source is ignored. The rest is filled with
// zeros.
void copy_async(Warp& w, const Inst& in, std::uint32_t mask) {
  const auto bytes = static_cast<std::uint32_t>(in.imm);
  const std::uint32_t ignored = (in.flags & flag::has_e) != 0 ? w.predicates[in.e] : 0;
  const auto size_of = [&](int l) {
    return (ignored >> l & 1u) != 0 ? 0 : in.c == ptx::no_index ? bytes : w.row<std::uint32_t>(in.c)[l];
  };
  std::uint32_t offset[lanes] = {};
  Pattern p;
  p.bytes = bytes;
  p.low = ~0ull;
  std::uint64_t from[lanes] = {};
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    const std::uint64_t to =
        (in.flags & flag::wide_a) != 0 ? w.row<std::uint64_t>(in.a)[l] : w.row<std::uint32_t>(in.a)[l];
    offset[l] = static_cast<std::uint32_t>(to) + in.target;
    if (size_of(l) == 0) continue;
    from[l] = w.row<std::uint64_t>(in.b)[l] +
              static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(in.meet)});
    p.mask |= 1u << l;
    p.bits |= from[l];
    p.low = from[l] < p.low ? from[l] : p.low;
    p.high = from[l] + bytes > p.high ? from[l] + bytes : p.high;
  }
  p.heads = sector_heads(from, p.mask);
  Placed where;
  if (p.mask != 0 &&
      (!prepare_global(w, in, from, p, false, where) || !check_global_race(w, in, from, p, false, 0)))
    return;
  if (!prepare_shared(w, in, offset, mask, bytes, true) ||
      !check_shared_race(w, in, offset, mask, bytes, true, 0))
    return;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    const std::uint32_t size = size_of(l);
    std::uint8_t* to = w.block->shared.data() + offset[l];
    std::memset(to, 0, bytes);
    if (size != 0)
      std::memcpy(to, reinterpret_cast<const void*>(from[l] + (where.split ? where.deltas[l] : where.delta)),
                  size < bytes ? size : bytes);
  }
}

}  // namespace workbook::sim
