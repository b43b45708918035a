// Decoding of memory accesses.
#include "sim/decoder.h"
#include "sim/exec_atomic.h"
#include "sim/exec_mbarrier.h"
#include "sim/exec_special.h"

namespace workbook::sim {

using ptx::Opcode;
using ptx::Operand;
using ptx::Type;
using OpKind = ptx::Operand::Kind;

namespace {

bool is_strong(const ptx::Modifiers& m) {
  return m.is_volatile || m.order == ptx::Order::relaxed || m.order == ptx::Order::acquire ||
         m.order == ptx::Order::release || m.order == ptx::Order::acq_rel || m.order == ptx::Order::sc;
}

}  // namespace

Place Decoder::place_of(const Operand& o) const {
  if (o.home == ptx::Home::params) {
    if (function_.is_kernel) throw Unsupported("a kernel's parameter is not in its frame");
    return code_->params.at(o.index);
  }
  if (o.home == ptx::Home::returns) return code_->returns.at(o.index);
  return {variable_place_.at(o.index), static_cast<std::uint32_t>(variable(o).size)};
}

// Base register, offset, and what the address is relative to.
void Decoder::address(const Operand& o, Inst& in, ptx::Space space) {
  AccessShape& s = in.access;
  s.space = space;
  if (o.kind != OpKind::address) throw Unsupported("an address is missing");
  in.imm = o.offset;
  if (o.reg != ptx::no_index) {
    const Row r = row(o.reg);
    in.a = r.offset;
    in.slot_a = r.slot;
    s.wide_address = r.wide;
    s.kernel_param = space == ptx::Space::param;
    return;
  }
  s.no_register = true;
  if (o.index == ptx::no_index) return;
  if (o.home == ptx::Home::params && function_.is_kernel) {
    s.kernel_param = true;
    in.imm += static_cast<std::int64_t>(function_.params.at(o.index).offset);
    return;
  }
  const bool call_param = o.home != ptx::Home::module &&
                          (o.home != ptx::Home::function || variable(o).space == ptx::Space::param);
  if (call_param || variable(o).space == ptx::Space::local) {
    s.frame = true;
    s.call_param = call_param;
    in.imm += place_of(o).offset;
    return;
  }
  if (is_dynamic_shared(o)) {
    s.dynamic_shared = true;
    return;
  }
  Operand base = o;
  base.offset = 0;
  in.imm += static_cast<std::int64_t>(address_of(base));
  if (space == ptx::Space::none || space == ptx::Space::generic) s.space = variable(o).space;
}

void Decoder::vector_rows(const Operand& o, Inst& in, bool is_store, Type type) {
  const std::vector<Operand> one{o};
  const auto& list = o.kind == OpKind::vector ? o.elements : one;
  in.list.first = static_cast<std::uint32_t>(code_->rows.size());
  in.list.count = static_cast<std::uint32_t>(list.size());
  in.access.count = static_cast<std::uint8_t>(list.size());
  for (const Operand& e : list) {
    if (e.kind == OpKind::reg)
      code_->rows.push_back(row(e.reg));
    else if (e.kind == OpKind::none && !is_store)
      code_->rows.push_back({ptx::no_index, 1, false});
    else
      code_->rows.push_back(source(e, ptx::size_of(type) == 8));
  }
}

void Decoder::load_store(const ptx::Instruction& i, Inst& in) {
  const bool is_store = i.op == Opcode::st;
  in.kind = Kind::memory;
  address(i.operands.at(is_store ? 0 : 1), in, i.mod.space);
  vector_rows(i.operands.at(is_store ? 1 : 0), in, is_store, i.mod.type);
  AccessShape& s = in.access;
  s.element = static_cast<std::uint8_t>(ptx::size_of(i.mod.type));
  s.is_signed = ptx::is_signed(i.mod.type);
  s.strong = is_strong(i.mod);
  s.acquire = i.mod.order == ptx::Order::acquire;
  s.release = i.mod.order == ptx::Order::release;
  if (i.mod.space == ptx::Space::constant && is_store) throw Unsupported("constant memory can't be written");
  if (s.element * s.count > 32) throw Unsupported("accesses of more than 32 bytes are not supported");
  in.run = handlers().memory(s, is_store);
  if (in.run == nullptr) throw Unsupported("this form is not supported");
  if (is_store) {
    in.slot_b = code_->rows[in.list.first].slot;
    in.slot_c = code_->rows[in.list.first + in.list.count - 1].slot;
  }
  const bool may_be_global =
      !s.kernel_param && !s.frame &&
      (s.space == ptx::Space::global || s.space == ptx::Space::none || s.space == ptx::Space::generic);
  const bool may_be_shared =
      s.space == ptx::Space::shared || s.space == ptx::Space::none || s.space == ptx::Space::generic;
  if (may_be_global && s.strong) code_->uses_strong = true;
  if (may_be_global && is_store) code_->stores_global = true;
  if (may_be_shared && !s.kernel_param && s.element < 4) code_->sub_word_shared = true;
}

void Decoder::atomic(const ptx::Instruction& i, Inst& in) {
  in.kind = Kind::memory;
  const bool is_red = i.op == Opcode::red;
  const auto& o = i.operands;
  std::size_t next = is_red ? 0 : 1;
  address(o.at(next++), in, i.mod.space);
  const bool wide = is_wide(i.mod.type);
  in.d = ptx::no_index;
  if (i.mod.vector > 1) {
    in.list.first = static_cast<std::uint32_t>(code_->rows.size());
    if (!is_red && o.at(0).kind == OpKind::vector) vector_rows(o[0], in, false, i.mod.type);
    for (const Operand& e : o.at(next++).elements) code_->rows.push_back(source(e, false));
    if (code_->rows.size() != in.list.first + in.list.count + i.mod.vector)
      throw Unsupported("its vectors differ in length");
    in.access.count = i.mod.vector;
    in.slot_b = code_->rows.back().slot;
  } else {
    if (!is_red && o.at(0).kind == OpKind::reg) set_destination(in, o[0], wide);
    const Row b = source(o.at(next++), wide);
    in.b = b.offset;
    in.slot_b = b.slot;
  }
  if (i.mod.atomic == ptx::AtomicOp::cas) {
    const Row c = source(o.at(next), wide);
    in.c = c.offset;
    in.slot_c = c.slot;
  }
  AccessShape& s = in.access;
  s.element = static_cast<std::uint8_t>(ptx::size_of(i.mod.type));
  s.atomic = i.mod.atomic;
  s.strong = true;
  s.acquire = i.mod.order == ptx::Order::acquire || i.mod.order == ptx::Order::acq_rel;
  s.release = i.mod.order == ptx::Order::release || i.mod.order == ptx::Order::acq_rel;
  in.run = find_atomic(i);
  if (in.run == nullptr) throw Unsupported("this form is not supported");
  if (s.space != ptx::Space::shared) code_->uses_atomics = true;
}

// mbarrier, and the arrival of cp.async at one.
void Decoder::barrier_object(const ptx::Instruction& i, Inst& in) {
  const auto has = [&](const char* word) { return i.mod.rest.find(word) != std::string::npos; };
  const auto& o = i.operands;
  if (has(".expect_tx") || has(".complete_tx")) throw Unsupported("transactions are not supported");
  const auto as = [&](MbarrierOp op) { in.sub = static_cast<std::uint8_t>(op); };
  in.kind = Kind::memory;
  in.run = mbarrier;
  in.b = in.d = ptx::no_index;
  in.access.atomic = ptx::AtomicOp::exch;  // counted as an atomic on shared memory is
  if (has(".pending_count")) {
    as(MbarrierOp::pending_count);
    set_destination(in, o.at(0), false);
    in.b = source(o.at(1), true).offset;
    return;
  }
  const bool from_copy = i.op == Opcode::cp_async, no_result = from_copy || has(".init") || has(".inval");
  const std::size_t at = no_result ? 0 : 1;
  address(o.at(at), in, ptx::Space::shared);
  if (from_copy) {
    as(has(".noinc") ? MbarrierOp::arrive : MbarrierOp::join);
  } else if (has("_wait")) {
    const bool parity = has(".parity");
    as(parity ? MbarrierOp::test_parity : MbarrierOp::test_state);
    bool no = false;
    in.d = predicate(o.at(0), no);
    in.slot_d = predicate_slot(in.d);
    in.b = source(o.at(2), !parity).offset;
  } else if (has(".inval")) {
    as(MbarrierOp::inval);
  } else {
    as(has(".init") ? MbarrierOp::init : has("_drop") ? MbarrierOp::drop : MbarrierOp::arrive);
    if (!no_result && o.at(0).kind == OpKind::reg) set_destination(in, o[0], true);
    if (o.size() > at + 1) in.b = source(o[at + 1], false).offset;
  }
}

void Decoder::async_copy(const ptx::Instruction& i, Inst& in) {
  const std::string& rest = i.mod.rest;
  if (rest.find(".mbarrier.arrive") == 0) return barrier_object(i, in);
  in.run = no_effect;
  if (rest.find("commit_group") != std::string::npos || rest.find("wait_") != std::string::npos) return;
  if (rest.find("bulk") != std::string::npos || i.operands.size() < 3)
    throw Unsupported("this form is not supported");
  in.kind = Kind::memory;
  address(i.operands[0], in, ptx::Space::shared);
  if (in.access.no_register || in.access.dynamic_shared)
    throw Unsupported("the shared address must be in a register");
  in.target = static_cast<std::uint32_t>(in.imm);
  if (in.access.wide_address) in.flags |= flag::wide_a;
  const Operand& from = i.operands[1];
  if (from.kind != OpKind::address || from.reg == ptx::no_index || !row(from.reg).wide)
    throw Unsupported("the global address must be in a register");
  in.b = row(from.reg).offset;
  in.slot_b = row(from.reg).slot;
  in.meet = static_cast<std::uint32_t>(from.offset);
  in.imm = static_cast<std::int64_t>(i.operands[2].bits);
  if (in.imm != 4 && in.imm != 8 && in.imm != 16) throw Unsupported("the size must be 4, 8 or 16");
  in.c = ptx::no_index;
  if (i.operands.size() > 3 && is_predicate(i.operands[3])) {
    bool no = false;
    in.e = predicate(i.operands[3], no);
    in.flags |= flag::has_e;
  } else if (i.operands.size() > 3 && i.operands[3].kind != OpKind::none) {
    in.c = source(i.operands[3], false).offset;
  }
  in.access.space = ptx::Space::global;
  in.run = copy_async;
}

}  // namespace workbook::sim
