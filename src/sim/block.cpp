#include "sim/block.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/access.h"

namespace workbook::sim {

namespace {

constexpr std::uint64_t warp_turn = 1024;  // warp instructions before the next warp of the block runs
constexpr std::uint8_t poison = 0xff;      // shared memory that nobody wrote

}  // namespace

Frame* Block::make_frame(const Code& code, std::uint32_t local_base, const Warp&) {
  const std::size_t slots = code.slots * sizeof(std::uint64_t),
                    predicates = code.predicates * sizeof(std::uint32_t);
  if (last_code != &code) {
    last_code = &code;
    last_spare = &spare[&code];
  }
  auto& free_ones = *last_spare;
  Frame* f = nullptr;
  if (!free_ones.empty()) {
    f = free_ones.back();
    free_ones.pop_back();
  } else {
    frames.push_back(std::make_unique<Frame>());
    f = frames.back().get();
    f->code = &code;
    f->storage = std::make_unique<std::uint8_t[]>(code.row_bytes + slots + predicates + 64);
    f->rows =
        reinterpret_cast<std::uint8_t*>((reinterpret_cast<std::uintptr_t>(f->storage.get()) + 63) / 64 * 64);
    f->ready = reinterpret_cast<std::uint64_t*>(f->rows + code.row_bytes);
    f->predicates = reinterpret_cast<std::uint32_t*>(f->rows + code.row_bytes + slots);
    for (const Constant& c : code.constants) {
      if (c.wide)
        std::fill_n(reinterpret_cast<std::uint64_t*>(f->rows + c.row), lanes, c.bits);
      else
        std::fill_n(reinterpret_cast<std::uint32_t*>(f->rows + c.row), lanes,
                    static_cast<std::uint32_t>(c.bits));
    }
  }
  for (const ClearedRows& r : code.live_in) std::memset(f->rows + r.first, 0, r.bytes);
  std::memset(f->ready, 0, slots + predicates);
  f->predicates[0] = full_mask;
  f->local_base = local_base;
  f->caller = nullptr;
  f->depth = 0;
  return f;
}

void Block::drop_frame(Frame* frame) {
  spare[frame->code].push_back(frame);
}

Node* Block::make_node() {
  if (spare_nodes.empty()) {
    nodes.push_back(std::make_unique<Node>());
    return nodes.back().get();
  }
  Node* n = spare_nodes.back();
  spare_nodes.pop_back();
  return n;
}

void Block::start(LaunchState& launch_state, std::uint64_t order_, std::uint64_t linear_) {
  launch = &launch_state;
  order = order_;
  linear = linear_;
  const Dim3& grid = launch->spec->grid;
  index = {static_cast<std::uint32_t>(linear % grid.x), static_cast<std::uint32_t>(linear / grid.x % grid.y),
           static_cast<std::uint32_t>(linear / grid.x / grid.y)};
  const Code& kernel = *launch->kernel;
  shared_bytes = launch->shared_bytes;
  dynamic_base = (kernel.static_shared + 15) / 16 * 16;
  if (shared_bytes != 0) shared.assign(shared_bytes + 16, poison);
  barriers = {};
  live_threads = launch->threads;
  if (launch->check_shared_races && shared_bytes != 0)
    shared_races.configure(shared_bytes, launch->sub_word_shared);
  sync = {};
  epoch = 1;
  instructions = 0;
  fault.reset();
  absent_source.reset();
  output.clear();
  next_warp = 0;
  atomic_times.clear();
  if (l1.sets.empty())
    l1.configure(launch->l1_bytes);
  else
    l1.clear();
  warps.resize(launch->warps);
  for (std::uint32_t i = 0; i < launch->warps; ++i) {
    Warp& w = warps[i];
    if (w.frame != nullptr && !w.splits.empty()) w.splits.clear();
    w.block = this;
    w.worker = worker;
    w.index = i;
    const std::uint32_t first = i * lanes, count = std::min<std::uint32_t>(lanes, launch->threads - first);
    start_warp(w, kernel, count == lanes ? full_mask : (1u << count) - 1);
  }
}

bool Block::run(std::uint64_t budget) {
  while (true) {
    bool progress = false;
    for (std::size_t k = 0; k < warps.size(); ++k) {
      Warp& w = warps[(next_warp * launch->warp_step + launch->warp_shift) % warps.size()];
      next_warp = (next_warp + 1) % warps.size();
      if (w.splits.empty() || !can_run(w)) continue;
      progress = true;
      std::uint64_t share = std::min(budget, warp_turn);
      const std::uint64_t given = share;
      run_warp(w, share);
      budget -= given - share;
      if (fault) return true;
      if (w.alive == 0 || w.splits.empty() || !can_run(w)) check_barriers();
      if (w.alive == 0) {
        // The kernel's frame is free for the next block.
        Frame* f = w.frame;
        while (f->caller != nullptr) f = f->caller;
        drop_frame(f);
        w.frame = f;
      }
      if (fault) return true;
      if (budget == 0) return live_threads == 0;
    }
    if (live_threads == 0) return true;
    if (!progress) {
      explain_standstill();
      return true;
    }
  }
}

std::uint64_t Block::latency() const {
  std::uint64_t latest = 0;
  for (const Warp& w : warps) latest = std::max(latest, w.now);
  return latest;
}

void Block::check_barriers() {
  for (std::uint32_t i = 0; i < barriers.size(); ++i)
    if (barriers[i].arrived != 0) release_barrier(i);
}

// Writes what bar.red gives, and lets the split go on.
void Block::finish_barrier(Split& split, Warp& warp, const Barrier& done) {
  const Frame& frame = *split.frame;
  const Inst& in = frame.code->body[split.pc];
  if (static_cast<ptx::BarrierAction>(in.sub) == ptx::BarrierAction::red) {
    const auto how = static_cast<ptx::Combine>(in.target);
    const std::uint32_t all = done.arrived;
    if (how == ptx::Combine::none) {
      auto* d = reinterpret_cast<std::uint32_t*>(frame.rows + in.d);
      for (int l = 0; l < lanes; ++l)
        if ((split.mask >> l & 1u) != 0) d[l] = done.count;
    } else {
      const bool holds = how == ptx::Combine::and_ ? done.count == all : done.count != 0;
      std::uint32_t& p = frame.predicates[in.d];
      p = holds ? p | split.mask : p & ~split.mask;
    }
  }
  warp.now = std::max(warp.now, done.time + packed_cycles(launch->latencies->barrier));
  split.state = SplitState::ready;
  ++split.pc;
}

void Block::release_barrier(std::uint32_t number) {
  Barrier& b = barriers[number];
  if (b.arrived < (b.expected != 0 ? b.expected : live_threads)) return;
  const Barrier done = b;
  if (done.mixed && done.expected == 0) {
    fault_at(FaultKind::divergent_barrier, done.code, done.pc, done.warp, 1u << done.lane);
    set_other(done.other_code, done.other_pc, done.other_warp, done.other_lane);
    fault->text = "other_barrier";
    return;
  }
  b = Barrier{};
  ++epoch;
  for (Warp& w : warps)
    for (Split& s : w.splits)
      if (s.state == SplitState::at_barrier && s.barrier == number) finish_barrier(s, w, done);
}

void Block::fault_at(FaultKind kind, const Code* code, std::uint32_t pc, std::uint32_t warp,
                     std::uint32_t mask) {
  RawFault f;
  f.kind = kind;
  f.code = code;
  f.pc = pc;
  f.warp = warp;
  f.mask = mask;
  f.lane = static_cast<std::uint32_t>(std::countr_zero(mask));
  fault = std::move(f);
}

void Block::set_other(const Code* code, std::uint32_t pc, std::uint32_t warp, std::uint32_t lane) {
  fault->has_other = true;
  fault->other_block = linear;
  fault->other_thread = warp * lanes + lane;
  fault->other_code = code;
  fault->other_pc = pc;
}

// Lanes wait for others that their mask names, and those wait elsewhere in their warp for them to come out of
// a branch: whatever other threads wait for, this is where it began. (Lanes that wait at a barrier may have
// been the first to leave the common path; then the barrier tells it better.)
bool Block::explain_absent_lanes() {
  for (const Warp& w : warps) {
    std::uint32_t seen = 0;
    for (const Split& s : w.splits) seen |= s.mask;
    const std::uint32_t parked = w.alive & ~seen;
    for (const Split& s : w.splits) {
      if (s.state != SplitState::at_gather) continue;
      std::uint32_t here = 0;
      for (const Split& other : w.splits)
        if (other.state == SplitState::at_gather && other.frame == s.frame && other.pc == s.pc)
          here |= other.mask;
      const std::uint32_t absent = s.wanted & w.alive & ~here;
      std::uint32_t at_barriers = 0;
      for (const Split& other : w.splits)
        if (other.state == SplitState::at_barrier) at_barriers |= other.mask;
      if (absent == 0 || (absent & at_barriers) != 0) continue;
      fault_at(FaultKind::absent_lanes, s.frame->code, s.pc, w.index, s.mask);
      fault->text = absent_text(absent);
      for (const Split& other : w.splits)
        if ((other.mask & absent) != 0)
          set_other(other.frame->code, other.pc, w.index,
                    static_cast<std::uint32_t>(std::countr_zero(other.mask)));
      for (const Node* n = s.node; n != nullptr && !fault->has_other; n = n->parent)
        if ((n->arrived & parked & absent) != 0)
          set_other(n->frame->code, n->pc, w.index,
                    static_cast<std::uint32_t>(std::countr_zero(n->arrived & parked & absent)));
      return true;
    }
  }
  return false;
}

// Every warp waits. Says who waits where: a barrier that part of the threads can't reach, or a deadlock.
void Block::explain_standstill() {
  struct Group {
    bool found = false;
    const Code* code = nullptr;
    std::uint32_t pc = 0, warp = 0, lane = 0, mask = 0;
  };
  if (explain_absent_lanes()) return;
  Group at_barrier, elsewhere, at_gather;
  std::uint32_t barrier_number = 0;
  bool several = false, counted = false;
  for (const Warp& w : warps) {
    std::uint32_t seen = 0;
    for (const Split& s : w.splits) {
      seen |= s.mask;
      const Group here{
          true, s.frame->code, s.pc, w.index, static_cast<std::uint32_t>(std::countr_zero(s.mask)), s.mask};
      if (s.state == SplitState::at_gather) {
        if (!at_gather.found) at_gather = here;
      } else if (!at_barrier.found) {
        at_barrier = here;
        barrier_number = s.barrier;
      } else if (s.barrier != barrier_number) {
        several = true;
        if (!elsewhere.found) elsewhere = here;
      }
    }
    // Lanes in no split have come to the end of their branch and wait for the others of their warp.
    const std::uint32_t parked = w.alive & ~seen;
    for (const Split& s : w.splits) {
      for (const Node* n = s.node; parked != 0 && n != nullptr && !elsewhere.found; n = n->parent)
        if ((n->arrived & parked) != 0)
          elsewhere = {true,
                       n->frame->code,
                       n->pc,
                       w.index,
                       static_cast<std::uint32_t>(std::countr_zero(n->arrived & parked)),
                       n->arrived & parked};
    }
  }
  for (const Barrier& b : barriers) counted = counted || (b.arrived != 0 && b.expected != 0);
  if (at_barrier.found) {
    const Group& other = elsewhere.found ? elsewhere : at_gather;
    const bool divergent = !several && !counted && other.found;
    fault_at(divergent ? FaultKind::divergent_barrier : FaultKind::deadlock, at_barrier.code, at_barrier.pc,
             at_barrier.warp, at_barrier.mask);
    if (other.found) set_other(other.code, other.pc, other.warp, other.lane);
    fault->text = divergent ? "" : counted ? "count" : "barriers";
    return;
  }
  if (!at_gather.found) {  // cannot happen: no split waits for anything
    fault_at(FaultKind::deadlock, launch->kernel, 0, 0, 1);
    return;
  }
  fault_at(FaultKind::deadlock, at_gather.code, at_gather.pc, at_gather.warp, at_gather.mask);
  fault->text = "gather";
}

}  // namespace workbook::sim
