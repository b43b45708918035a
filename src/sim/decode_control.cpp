// Decoding of branches, calls, barriers and their kind.
#include "sim/decoder.h"
#include "sim/exec_special.h"

namespace workbook::sim {

using ptx::Opcode;
using ptx::Operand;
using OpKind = ptx::Operand::Kind;

namespace {

SystemCall system_call(const std::string& name) {
  if (name == "vprintf") return SystemCall::print;
  if (name == "__assertfail") return SystemCall::assert_fail;
  if (name == "malloc") return SystemCall::allocate;
  if (name == "free") return SystemCall::release;
  return SystemCall::none;
}

}  // namespace

bool Decoder::control(const ptx::Instruction& i, Inst& in, std::uint32_t at) {
  switch (i.op) {
    case Opcode::bra:
    case Opcode::brx_idx:
      branch(i, in, at);
      return true;
    case Opcode::call:
      call(i, in);
      return true;
    case Opcode::ret:
      in.kind = Kind::ret;
      return true;
    case Opcode::exit:
      in.kind = Kind::exit;
      return true;
    case Opcode::trap:
    case Opcode::brkpt:
      in.kind = Kind::trap;
      return true;
    case Opcode::bar:
    case Opcode::barrier:
      barrier(i, in);
      return true;
    case Opcode::membar:
    case Opcode::fence:
      in.kind = Kind::fence;
      code_->uses_fence = code_->uses_fence || i.mod.scope != ptx::Scope::cta;
      return true;
    case Opcode::nanosleep: {
      in.kind = Kind::sleep;
      const Row r = source(i.operands.at(0), false);
      in.a = r.offset;
      in.slot_a = r.slot;
      return true;
    }
    default:
      return false;
  }
}

void Decoder::branch(const ptx::Instruction& i, Inst& in, std::uint32_t) {
  if (i.op == Opcode::bra) {
    in.kind = Kind::branch;
    in.target = i.operands.at(0).index;
    return;
  }
  in.kind = Kind::branch_index;
  const Row r = source(i.operands.at(0), false);
  in.a = r.offset;
  in.slot_a = r.slot;
  in.e = static_cast<std::uint32_t>(code_->targets.size());
  code_->targets.push_back(function_.target_lists.at(i.operands.at(1).index));
}

void Decoder::call(const ptx::Instruction& i, Inst& in) {
  const auto& o = i.operands;
  CallSite site;
  const auto places = [&](const Operand& list, std::vector<Place>& out) {
    for (const Operand& e : list.elements) {
      if (e.kind != OpKind::variable) throw Unsupported("arguments must be .param variables");
      out.push_back(place_of(e));
    }
  };
  places(o.at(1), site.returns);
  places(o.at(2), site.arguments);
  in.e = static_cast<std::uint32_t>(code_->calls.size());
  code_->calls.push_back(std::move(site));
  if (o.at(0).kind == OpKind::reg) {
    in.kind = Kind::call_indirect;
    const Row r = source(o[0], true);
    in.a = r.offset;
    in.slot_a = r.slot;
    code_->uses_indirect = true;
    return;
  }
  if (o.at(0).kind != OpKind::function) throw Unsupported("its target is not a function");
  const ptx::Function& callee = module_.functions.at(o[0].index);
  if (callee.has_body || !callee.unreadable.empty()) {
    in.kind = Kind::call;
    in.target = layout_.first_function + o[0].index;
    code_->callees.push_back(in.target);
    return;
  }
  const SystemCall system = system_call(callee.name);
  if (system == SystemCall::none)
    throw Unsupported("the function " + demangle(callee.name) + " has no body in this module");
  in.kind = Kind::call_system;
  in.target = static_cast<std::uint32_t>(system);
  if (system == SystemCall::allocate || system == SystemCall::release) code_->uses_heap = true;
}

// Inst::imm: the barrier's number if it is known, else -1 and the row a; b: row of the thread count, no_index
// for all; sub: BarrierAction; for red c is the predicate and d the result, target the Combine.
void Decoder::barrier(const ptx::Instruction& i, Inst& in) {
  if (i.mod.rest.find("cluster") != std::string::npos) throw Unsupported("clusters are not supported");
  in.kind = Kind::barrier;
  code_->uses_barrier = true;
  in.sub = static_cast<std::uint8_t>(i.mod.barrier);
  if (i.op == Opcode::barrier && i.mod.rest.find(".aligned") == std::string::npos) in.flags |= flag::anywhere;
  const auto& o = i.operands;
  std::size_t next = 0;
  const bool red = i.mod.barrier == ptx::BarrierAction::red;
  if (red) {
    bool no = false;
    in.target = static_cast<std::uint32_t>(i.mod.combine);
    if (i.mod.combine == ptx::Combine::none)
      set_destination(in, o.at(next++), false);
    else
      in.d = predicate(o.at(next++), no);
    if (i.mod.combine != ptx::Combine::none) in.slot_d = predicate_slot(in.d);
  }
  const Operand& number = o.at(next++);
  const Row a = source(number, false);
  in.a = a.offset;
  in.slot_a = a.slot;
  in.imm = number.kind == OpKind::immediate ? static_cast<std::int64_t>(number.bits & 15) : -1;
  in.b = ptx::no_index;
  const bool has_count = o.size() - next == (red ? 2u : 1u);
  if (has_count) {
    const Row b = source(o.at(next++), false);
    in.b = b.offset;
    in.slot_b = b.slot;
  }
  if (red) {
    bool no = false;
    in.c = predicate(o.at(next), no);
    in.slot_c = predicate_slot(in.c);
    if (no) in.flags |= flag::not_c;
  }
}

}  // namespace workbook::sim
