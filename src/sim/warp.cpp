// The loop that runs a warp.
#include "sim/warp.h"

#include <algorithm>
#include <bit>

#include "sim/access.h"
#include "sim/block.h"
#include "sim/flow.h"

namespace workbook::sim {

namespace {

// Turns of polling before lanes that wait at a node are let go. Flags of other blocks and warps mostly come
// sooner, and what waits together should go on together.
constexpr std::uint32_t most_patience = 16;

// Do both wait at the same collective? __syncwarp has no result, and since Volta its lanes may come to it at
// different places; everything else is one instruction.
bool meets(const Warp& w, const Split& a, const Split& b) {
  if (a.state != SplitState::at_gather || b.state != SplitState::at_gather) return false;
  if (a.frame == b.frame && a.pc == b.pc) return true;
  return a.frame->code->body[a.pc].is_warp_barrier && b.frame->code->body[b.pc].is_warp_barrier &&
         ((a.wanted ^ b.wanted) & w.alive) == 0;
}

// A gather goes when all lanes that its mask names, and that have not ended, are at this instruction.
// Returns the lanes that take part; 0: not yet.
std::uint32_t gathered(Warp& w, const Split& s) {
  std::uint32_t here = 0, ready = 0;
  const auto waits_with = [&](const Split& other) { return meets(w, s, other); };
  for (const Split& other : w.splits)
    if (waits_with(other)) here |= other.mask;
  if ((s.wanted & w.alive & ~here) != 0) return 0;
  // Others there may wait for more.
  for (const Split& other : w.splits)
    if (waits_with(other) && (other.wanted & w.alive & ~here) == 0) ready |= other.mask;
  return ready;
}

// The lanes that the masks of these lanes name together.
std::uint32_t named_by(const Warp& w, const Inst& in, std::uint32_t m) {
  if (in.imm < 0) return m;
  const std::uint32_t* masks = w.row<std::uint32_t>(static_cast<std::uint32_t>(in.imm));
  std::uint32_t named = 0;
  for (std::uint32_t rest = m; rest != 0; rest &= rest - 1) named |= masks[std::countr_zero(rest)];
  return named;
}

// Of these lanes those whose own mask leaves them out.
std::uint32_t unnamed_in(const Warp& w, const Inst& in, std::uint32_t m) {
  if (in.imm < 0) return 0;
  const std::uint32_t* masks = w.row<std::uint32_t>(static_cast<std::uint32_t>(in.imm));
  std::uint32_t strangers = 0;
  for (std::uint32_t rest = m; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    if ((masks[l] >> l & 1u) == 0) strangers |= 1u << l;
  }
  return strangers;
}

// Runs a collective for lanes that are all there. Lanes that name different masks are groups of their own:
// the tiles of a warp come by the same instruction together.
void run_gathered(Warp& w, const Inst& in, std::uint32_t m) {
  w.result_latency = in.latency;
  std::uint32_t rest = m;
  while (rest != 0 && !w.block->fault) {
    std::uint32_t group = rest;
    if (in.imm >= 0) {
      const std::uint32_t* masks = w.row<std::uint32_t>(static_cast<std::uint32_t>(in.imm));
      const std::uint32_t first = masks[std::countr_zero(rest)];
      for (std::uint32_t others = rest; others != 0; others &= others - 1)
        if (masks[std::countr_zero(others)] != first) group &= ~(others & -others);
    }
    in.run(w, in, group);
    rest &= ~group;
  }
  const std::uint64_t at = w.now + w.result_latency;
  w.frame->ready[in.slot_d] = at;
  const Row* rows = w.frame->code->rows.data() + in.list.first;
  for (std::uint32_t k = 0; k < in.list.count; ++k) w.frame->ready[rows[k].slot] = at;
}

// What runs until something happens that changes the set of splits.
class SplitRun {
 public:
  SplitRun(Warp& warp, std::uint64_t& budget) : w_(warp), worker_(*warp.worker), budget_(budget) {}
  void run();

 private:
  void enter();               // takes the split's place in the code
  void leave();               // puts it back
  bool step(const Inst& in);  // true: go on in this split with pc_
  bool gather(const Inst& in, std::uint32_t m);
  bool branch(const Inst& in, std::uint32_t m);
  void memory(const Inst& in, std::uint32_t m);
  Split& split() { return w_.splits[w_.current]; }

  Warp& w_;
  Worker& worker_;
  std::uint64_t& budget_;
  const Inst* body_ = nullptr;
  std::uint64_t* hits_ = nullptr;
  std::uint64_t* ready_ = nullptr;
  std::uint32_t* predicates_ = nullptr;
  std::uint32_t pc_ = 0, mask_ = 0, stop_ = ptx::no_index;
};

void SplitRun::enter() {
  const Split& s = split();
  Frame& f = *s.frame;
  w_.frame = &f;
  w_.rows = f.rows;
  w_.predicates = predicates_ = f.predicates;
  w_.active = mask_ = s.mask;
  body_ = f.code->body.data();
  hits_ = worker_.hits.data() + f.code->first_hit;
  ready_ = f.ready;
  pc_ = s.pc;
  stop_ = s.node != nullptr && !s.node->is_call && s.node->frame == &f ? s.node->pc : ptx::no_index;
}

void SplitRun::leave() {
  split().pc = pc_;
}

void SplitRun::memory(const Inst& in, std::uint32_t m) {
  w_.result_latency = in.latency;
  in.run(w_, in, m);
  const std::uint64_t at = w_.now + w_.result_latency;
  ready_[in.slot_d] = at;
  w_.asked_memory |= in.access.strong;
  if (in.cls == InstructionClass::store) {
    w_.changed_memory = true;
    return;
  }
  const Row* rows = w_.frame->code->rows.data() + in.list.first;
  for (std::uint32_t k = 0; k < in.list.count; ++k) ready_[rows[k].slot] = at;
}

bool SplitRun::branch(const Inst& in, std::uint32_t m) {
  ++worker_.counters.branches;
  if (m == mask_) {
    pc_ = in.target;
    return true;
  }
  if (m == 0) {
    ++pc_;
    return true;
  }
  ++worker_.counters.divergent_branches;
  leave();
  const Part parts[2] = {{mask_ & ~m, pc_ + 1}, {m, in.target}};
  diverge(w_, parts, 2, in.meet);
  return false;
}

bool SplitRun::gather(const Inst& in, std::uint32_t m) {
  if (const std::uint32_t strangers = unnamed_in(w_, in, m); strangers != 0) {
    leave();
    raise_strangers(w_, in, strangers);
    return false;
  }
  const std::uint32_t named = named_by(w_, in, m);
  // Lanes of this split that the guard switched off will not come.
  const std::uint32_t switched_off = mask_ & ~m, wanted = named & w_.alive & ~switched_off;
  if ((named & switched_off) != 0 && !in.is_warp_barrier) {
    leave();
    raise_absent(w_, in, m, named & switched_off);
    return false;
  }
  if ((wanted & ~m) == 0) {
    run_gathered(w_, in, m);
    if (w_.block->fault) {
      leave();
      return false;
    }
    ++pc_;
    return true;
  }
  leave();
  Split& s = split();
  s.wanted = wanted;
  s.state = SplitState::at_gather;
  return false;
}

bool SplitRun::step(const Inst& in) {
  const std::uint32_t m = mask_ & (predicates_[in.guard] ^ in.guard_not);
  if (in.kind == Kind::branch) return branch(in, m);
  if (m == 0) {
    ++pc_;
    return true;
  }
  switch (in.kind) {
    case Kind::clock:
      in.run(w_, in, m);
      w_.now += packed_cycles(worker_.launch->latencies->clock_read);
      ready_[in.slot_d] = w_.now;
      ++pc_;
      return true;
    case Kind::gather:
      return gather(in, m);
    case Kind::fence:
      order_before(w_);
      w_.now += packed_cycles(worker_.launch->latencies->barrier);
      ++pc_;
      return true;
    case Kind::sleep: {
      const std::uint64_t ns = w_.row<std::uint32_t>(in.a)[std::countr_zero(m)];
      w_.now += packed_cycles(ns * worker_.launch->limits->clock_khz / 1'000'000);
      ++pc_;
      return true;
    }
    case Kind::trap:
      raise(w_, in, FaultKind::trap, m, 0, 0, false);
      return false;
    default:
      leave();
      return control(w_, in, m) && (enter(), true);
  }
}

void SplitRun::run() {
  enter();
  std::uint64_t left = budget_, threads = 0;
  const std::uint64_t before = left;
  auto active = std::uint64_t{count_lanes(mask_)};
  bool go = true;
  while (go) {
    if (pc_ == stop_) {
      leave();
      go = arrive(w_);
      if (!go) break;
      enter();
      active = std::uint64_t{count_lanes(mask_)};
      continue;
    }
    if (left == 0) {
      leave();
      break;
    }
    --left;
    const Inst& in = body_[pc_];
    ++hits_[pc_];
    threads += active;
    const std::uint64_t ab = std::max(ready_[in.slot_a], ready_[in.slot_b]),
                        cg = std::max(ready_[in.slot_c], ready_[in.slot_g]);
    w_.now = std::max(w_.now + one_cycle, std::max(ab, cg));
    if (in.kind == Kind::plain) {
      const std::uint32_t m = mask_ & (predicates_[in.guard] ^ in.guard_not);
      if (m != 0) {
        in.run(w_, in, m);
        ready_[in.slot_d] = w_.now + in.latency;
      }
      ++pc_;
    } else if (in.kind == Kind::memory) {
      const std::uint32_t m = mask_ & (predicates_[in.guard] ^ in.guard_not);
      if (m != 0) memory(in, m);
      if (w_.block->fault) {
        leave();
        break;
      }
      ++pc_;
    } else {
      go = step(in);
      active = std::uint64_t{count_lanes(mask_)};
    }
  }
  worker_.thread_instructions += threads;
  w_.block->instructions += before - left;
  budget_ = left;
}

}  // namespace

bool can_run(Warp& w) {
  for (Split& s : w.splits)
    if (s.state == SplitState::ready || (s.state == SplitState::at_gather && gathered(w, s) != 0))
      return true;
  return false;
}

namespace {

// Runs a gather whose lanes are all there, for all its splits at once.
void finish_gather(Warp& w, const Split first, std::uint32_t here) {
  const Frame* frame = first.frame;
  const Inst& in = frame->code->body[first.pc];
  w.frame = first.frame;
  w.rows = frame->rows;
  w.predicates = frame->predicates;
  w.active = here;
  const std::uint32_t m = here & (frame->predicates[in.guard] ^ in.guard_not);
  run_gathered(w, in, m);
  if (w.block->fault) return;
  for (Split& other : w.splits) {
    if ((other.mask & here) == 0 || !meets(w, first, other)) continue;
    other.state = SplitState::ready;
    ++other.pc;
  }
}

// Chooses a split that can run, beginning with the current one.
bool choose(Warp& w) {
  for (std::size_t k = 0; k < w.splits.size(); ++k) {
    const std::size_t at = (w.current + k) % w.splits.size();
    Split& s = w.splits[at];
    if (s.state == SplitState::at_gather) {
      if (const std::uint32_t here = gathered(w, s); here != 0) finish_gather(w, s, here);
    }
    if (s.state == SplitState::ready) {
      w.current = at;
      return true;
    }
  }
  return false;
}

// A turn is over. Lanes that spin may wait for lanes that wait for them at a node.
void note_turn(Warp& w) {
  w.fruitless_turns = w.asked_memory && !w.changed_memory ? w.fruitless_turns + 1 : 0;
  w.asked_memory = w.changed_memory = false;
  if (w.fruitless_turns < w.patience) return;
  w.fruitless_turns = 0;
  if (!let_waiting_go(w)) return;
  w.scattered = true;
  w.patience = std::max(w.patience / 2, 1u);
}

}  // namespace

void run_warp(Warp& w, std::uint64_t& budget) {
  // Parted lanes take turns, so that one part can spin on what another does.
  constexpr std::uint64_t turn = 1000;
  while (budget > 0 && !w.splits.empty() && !w.block->fault && choose(w)) {
    if (w.scattered && meet_again(w)) continue;
    std::uint64_t share = w.splits.size() > 1 ? std::min(budget, turn) : budget;
    const std::uint64_t given = share;
    SplitRun(w, share).run();
    budget -= given - share;
    if (share == 0) note_turn(w);
    if (share == 0 && !w.splits.empty())
      w.current = (w.current + 1) % w.splits.size();
    else if (w.current >= w.splits.size())
      w.current = 0;
  }
}

void start_warp(Warp& w, const Code& kernel, std::uint32_t lane_mask) {
  w.splits.clear();
  w.current = 0;
  w.now = 0;
  w.asked_memory = w.changed_memory = w.scattered = false;
  w.fruitless_turns = 0;
  w.patience = most_patience;
  w.alive = lane_mask;
  w.local.reserve_bytes(kernel.frame_bytes);
  Frame* frame = w.block->make_frame(kernel, 0, w);
  w.splits.push_back({});
  w.splits.back().mask = lane_mask;
  w.splits.back().frame = frame;
}

}  // namespace workbook::sim
