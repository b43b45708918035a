#include "sim/flow.h"

#include <algorithm>
#include <bit>

#include "sim/access.h"

namespace workbook::sim {

namespace {

constexpr std::uint32_t max_depth = 1024;
constexpr std::uint32_t max_local = 512 * 1024;  // bytes a thread, the hardware's limit

Split& current(Warp& w) {
  return w.splits[w.current];
}

void add_split(Warp& w, std::uint32_t mask, std::uint32_t pc, Frame* frame, Node* node) {
  Split s;
  s.mask = mask;
  s.pc = pc;
  s.frame = frame;
  s.node = node;
  w.splits.push_back(s);
}

void remove_current(Warp& w) {
  w.splits.erase(w.splits.begin() + static_cast<std::ptrdiff_t>(w.current));
  if (w.current >= w.splits.size()) w.current = 0;
}

// A node whose last lane has come or gone: the lanes that wait there go on.
void release(Warp& w, Node* n) {
  if (n->arrived != 0) add_split(w, n->arrived, n->pc, n->frame, n->parent);
  if (n->callee != nullptr) w.block->drop_frame(n->callee);
  w.block->drop_node(n);
}

// Lanes leave all nodes from `n` up to, not including, `until`.
void leave_nodes(Warp& w, Node* n, const Node* until, std::uint32_t lanes_gone) {
  while (n != until) {
    Node* parent = n->parent;
    n->pending &= ~lanes_gone;
    if (n->pending == 0) release(w, n);
    n = parent;
  }
}

Node* new_node(Warp& w, std::uint32_t pc, std::uint32_t pending, Frame* frame, Node* parent) {
  Node* n = w.block->make_node();
  *n = Node{};
  n->pc = pc;
  n->pending = pending;
  n->frame = frame;
  n->parent = parent;
  return n;
}

void copy_places(Warp& w, std::uint32_t mask, std::uint32_t from_base, const std::vector<Place>& from,
                 std::uint32_t to_base, const std::vector<Place>& to) {
  for (std::size_t k = 0; k < from.size() && k < to.size(); ++k) {
    const std::uint32_t size = std::min(from[k].size, to[k].size);
    for (std::uint32_t at = 0; at < size; at += 4) {
      const std::uint32_t* source = w.local.row(from_base + from[k].offset + at);
      std::uint32_t* target = w.local.row(to_base + to[k].offset + at);
      for (int l = 0; l < lanes; ++l)
        if ((mask >> l & 1u) != 0) target[l] = source[l];
    }
  }
}

// The current split (exactly the lanes that call) enters the function.
bool enter_function(Warp& w, const Inst& in, const Code& callee) {
  Split& s = current(w);
  Frame* caller = s.frame;
  if (!callee.unsupported.empty()) {
    raise(w, in, FaultKind::illegal_instruction, s.mask, 0, 0, false);
    w.block->fault->text = callee.unsupported;
    return false;
  }
  const std::uint32_t base = (caller->local_base + caller->code->frame_bytes + 15) / 16 * 16;
  if (caller->depth + 1 >= max_depth || base + callee.frame_bytes > max_local) {
    raise(w, in, FaultKind::stack_overflow, s.mask, 0, 0, false);
    return false;
  }
  w.local.reserve_bytes(base + callee.frame_bytes);
  Frame* frame = w.block->make_frame(callee, base, w);
  frame->caller = caller;
  frame->call_pc = s.pc;
  frame->depth = caller->depth + 1;
  copy_places(w, s.mask, caller->local_base, caller->code->calls[in.e].arguments, base, callee.params);
  Node* node = new_node(w, s.pc + 1, s.mask, caller, s.node);
  node->is_call = true;
  node->callee = frame;
  s.node = node;
  s.frame = frame;
  s.pc = 0;
  return true;
}

bool call(Warp& w, const Inst& in, std::uint32_t mask) {
  set_aside_others(w, mask);
  return enter_function(w, in, *(*w.worker->launch->codes)[in.target]);
}

bool call_indirect(Warp& w, const Inst& in, std::uint32_t mask) {
  set_aside_others(w, mask);
  const std::uint64_t* target = w.row<std::uint64_t>(in.a);
  const auto& codes = *w.worker->launch->codes;
  Frame* frame = current(w).frame;
  const std::uint32_t pc = current(w).pc;
  std::uint32_t rest = mask;
  std::vector<Part> groups;
  while (rest != 0) {
    const int first = std::countr_zero(rest);
    std::uint32_t group = 0;
    for (int l = 0; l < lanes; ++l)
      if ((rest >> l & 1u) != 0 && target[l] == target[first]) group |= 1u << l;
    rest &= ~group;
    const std::uint64_t number = target[first] - code_window;
    if (number >= codes.size() || codes[number] == nullptr || codes[number]->function->is_kernel) {
      raise(w, in, FaultKind::illegal_instruction, group, target[first], 8, false);
      w.block->fault->text = "calls through a pointer that is not the address of a device function";
      return false;
    }
    groups.push_back({group, static_cast<std::uint32_t>(number)});
  }
  if (groups.size() == 1) return enter_function(w, in, *codes[groups[0].pc]);
  // One split for each target; they meet behind the call.
  Node* meet = new_node(w, pc + 1, mask, frame, current(w).node);
  const std::size_t home = w.current;
  for (std::size_t k = groups.size(); k-- > 0;) {
    if (k == 0) {
      w.current = home;
      current(w).mask = groups[0].mask;
      current(w).node = meet;
    } else {
      add_split(w, groups[k].mask, pc, frame, meet);
      w.current = w.splits.size() - 1;
    }
    if (!enter_function(w, in, *codes[groups[k].pc])) return false;
  }
  return true;
}

bool return_from(Warp& w, const Inst& in, std::uint32_t mask);

bool end_threads(Warp& w, std::uint32_t mask) {
  Split& s = current(w);
  Node* node = s.node;
  s.mask &= ~mask;
  const bool goes_on = s.mask != 0;
  if (goes_on)
    ++s.pc;
  else
    remove_current(w);
  w.alive &= ~mask;
  w.block->live_threads -= count_lanes(mask);
  leave_nodes(w, node, nullptr, mask);
  return goes_on;
}

bool return_from(Warp& w, const Inst&, std::uint32_t mask) {
  Split& s = current(w);
  Node* node = s.node;
  Node* call_node = node;
  while (call_node != nullptr && !call_node->is_call) call_node = call_node->parent;
  if (call_node == nullptr) return end_threads(w, mask);
  const Frame* callee = s.frame;
  const Frame* caller = call_node->frame;
  const CallSite& site = caller->code->calls[caller->code->body[callee->call_pc].e];
  copy_places(w, mask, callee->local_base, callee->code->returns, caller->local_base, site.returns);
  s.mask &= ~mask;
  const bool goes_on = s.mask != 0;
  if (goes_on)
    ++s.pc;
  else
    remove_current(w);
  leave_nodes(w, node, call_node, mask);
  call_node->pending &= ~mask;
  call_node->arrived |= mask;
  if (call_node->pending == 0) {
    release(w, call_node);
    if (!goes_on) {
      w.current = w.splits.size() - 1;  // straight on behind the call
      return true;
    }
  }
  return goes_on;
}

bool branch_index(Warp& w, const Inst& in, std::uint32_t mask) {
  const auto& targets = w.frame->code->targets[in.e];
  const std::uint32_t* index = w.row<std::uint32_t>(in.a);
  const Split& s = current(w);
  std::vector<Part> parts;
  const auto add = [&](std::uint32_t bit, std::uint32_t pc) {
    for (Part& p : parts)
      if (p.pc == pc) {
        p.mask |= bit;
        return;
      }
    parts.push_back({bit, pc});
  };
  if ((s.mask & ~mask) != 0) parts.push_back({s.mask & ~mask, s.pc + 1});
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    add(1u << l, targets[std::min<std::size_t>(index[l], targets.size() - 1)]);
  }
  ++w.worker->counters.branches;
  if (parts.size() == 1) {
    current(w).pc = parts[0].pc;
    return true;
  }
  ++w.worker->counters.divergent_branches;
  diverge(w, parts.data(), parts.size(), in.meet);
  return true;
}

void arrive_at_barrier(Warp& w, const Inst& in, std::uint32_t mask, std::uint32_t number,
                       std::uint32_t expected) {
  Barrier& b = w.block->barriers[number];
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
  const std::uint32_t pc = current(w).pc;
  if (b.arrived == 0) {
    b = Barrier{};
    b.code = w.frame->code;
    b.pc = pc;
    b.warp = w.index;
    b.lane = lane;
  } else if (!b.mixed && (in.flags & flag::anywhere) == 0 && (b.code != w.frame->code || b.pc != pc)) {
    b.mixed = true;
    b.other_code = w.frame->code;
    b.other_pc = pc;
    b.other_warp = w.index;
    b.other_lane = lane;
  }
  b.arrived += count_lanes(mask);
  b.expected = std::max(b.expected, expected);
  b.time = std::max(b.time, w.now);
  if (static_cast<ptx::BarrierAction>(in.sub) == ptx::BarrierAction::red) {
    const std::uint32_t p = w.predicates[in.c] ^ ((in.flags & flag::not_c) != 0 ? full_mask : 0);
    b.count += count_lanes(p & mask);
  }
}

bool barrier(Warp& w, const Inst& in, std::uint32_t mask) {
  set_aside_others(w, mask);
  const int lane = std::countr_zero(mask);
  const std::uint32_t number =
      in.imm >= 0 ? static_cast<std::uint32_t>(in.imm) : w.row<std::uint32_t>(in.a)[lane] & 15u;
  const std::uint32_t expected = in.b == ptx::no_index ? 0 : w.row<std::uint32_t>(in.b)[lane];
  arrive_at_barrier(w, in, mask, number, expected);
  if (static_cast<ptx::BarrierAction>(in.sub) == ptx::BarrierAction::arrive) {
    ++current(w).pc;
    w.block->release_barrier(number);
    return true;
  }
  current(w).state = SplitState::at_barrier;
  current(w).barrier = number;
  w.block->release_barrier(number);
  return current(w).state == SplitState::ready && !w.block->fault && !w.scattered;
}

}  // namespace

void set_aside_others(Warp& w, std::uint32_t mask) {
  Split& s = current(w);
  if (s.mask == mask) return;
  Node* node = new_node(w, s.pc + 1, mask, s.frame, s.node);
  node->arrived = s.mask & ~mask;
  s.mask = mask;
  s.node = node;
}

void diverge(Warp& w, const Part* parts, std::size_t count, std::uint32_t meet) {
  const std::size_t home = w.current;
  Frame* frame = current(w).frame;
  Node* node = current(w).node;
  const std::uint32_t end = static_cast<std::uint32_t>(frame->code->body.size() - 1);
  const bool meets = meet != ptx::no_index && meet < end;
  if (meets && (node == nullptr || node->is_call || node->frame != frame || node->pc != meet))
    node = new_node(w, meet, current(w).mask, frame, node);
  bool has_home = false;
  for (std::size_t k = 0; k < count; ++k) {
    if (meets && parts[k].pc == meet) {
      node->pending &= ~parts[k].mask;
      node->arrived |= parts[k].mask;
    } else if (!has_home) {
      has_home = true;
      Split& s = w.splits[home];
      s.mask = parts[k].mask;
      s.pc = parts[k].pc;
      s.node = node;
    } else {
      add_split(w, parts[k].mask, parts[k].pc, frame, node);
    }
  }
}

bool arrive(Warp& w) {
  Split& s = current(w);
  Node* n = s.node;
  n->pending &= ~s.mask;
  n->arrived |= s.mask;
  if (n->pending == 0) {
    s.mask = n->arrived;
    s.node = n->parent;
    w.block->drop_node(n);
    return true;
  }
  remove_current(w);
  return false;
}

bool let_waiting_go(Warp& w) {
  bool any = false;
  for (std::size_t k = 0; k < w.splits.size(); ++k) {
    for (Node* n = w.splits[k].node; n != nullptr; n = n->parent) {
      if (n->arrived == 0) continue;
      add_split(w, n->arrived, n->pc, n->frame, n->parent);
      n->arrived = 0;
      any = true;
    }
  }
  return any;
}

bool meet_again(Warp& w) {
  bool any = false;
  for (std::size_t k = 0; k < w.splits.size(); ++k) {
    for (std::size_t j = w.splits.size(); j-- > k + 1;) {
      Split& s = w.splits[k];
      const Split& other = w.splits[j];
      const bool same = s.frame == other.frame && s.pc == other.pc && s.node == other.node;
      if (!same || s.state != SplitState::ready || other.state != SplitState::ready) continue;
      s.mask |= other.mask;
      w.splits.erase(w.splits.begin() + static_cast<std::ptrdiff_t>(j));
      any = true;
    }
  }
  if (any) w.current = 0;
  return any;
}

bool control(Warp& w, const Inst& in, std::uint32_t mask) {
  switch (in.kind) {
    case Kind::branch_index:
      return branch_index(w, in, mask);
    case Kind::call:
      return call(w, in, mask);
    case Kind::call_indirect:
      return call_indirect(w, in, mask);
    case Kind::call_system:
      system_call(w, in, mask);
      ++current(w).pc;
      return !w.block->fault;
    case Kind::ret:
      return return_from(w, in, mask);
    case Kind::exit:
      return end_threads(w, mask);
    case Kind::barrier:
      return barrier(w, in, mask);
    default:
      return false;
  }
}

}  // namespace workbook::sim
