// Decoding of what computes: arithmetic, comparisons, conversions, moves, warp collectives.
#include <array>

#include "sim/decoder.h"
#include "sim/exec_special.h"

namespace workbook::sim {

using ptx::Opcode;
using ptx::Operand;
using ptx::Type;
using OpKind = ptx::Operand::Kind;

namespace {

constexpr std::array type_names{"",       "pred",   "b8",    "b16", "b32",  "b64",   "b128",
                                "u8",     "u16",    "u32",   "u64", "s8",   "s16",   "s32",
                                "s64",    "u16x2",  "s16x2", "f16", "bf16", "f16x2", "bf16x2",
                                "e4m3x2", "e5m2x2", "tf32",  "f32", "f64"};

Handler find(const ptx::Instruction& i) {
  const HandlerSet& h = handlers();
  const Type t = i.op == Opcode::set ? i.mod.source_type : i.mod.type;
  switch (t) {
    case Type::f32:
    case Type::f64:
      return h.floating(i);
    case Type::f16:
    case Type::f16x2:
    case Type::bf16:
    case Type::bf16x2:
      return h.half(i);
    default:
      return h.integer(i);
  }
}

// Whether source number k (0 = a) has 64 bits.
bool source_is_wide(const ptx::Instruction& i, std::size_t k) {
  const bool wide = ptx::size_of(i.mod.type) == 8;
  switch (i.op) {
    case Opcode::shl:
    case Opcode::shr:
      return k == 0 && wide;
    case Opcode::bfe:
      return k == 0 && wide;
    case Opcode::bfi:
      return k < 2 && wide;
    case Opcode::mad:
    case Opcode::madc:
      return i.mod.half == ptx::Half::wide ? k == 2 && ptx::size_of(i.mod.type) == 4 : wide;
    case Opcode::slct:
      return k < 2 && wide;
    default:
      return wide;
  }
}

bool result_is_wide(const ptx::Instruction& i) {
  switch (i.op) {
    case Opcode::clz:
    case Opcode::popc:
    case Opcode::bfind:
      return false;
    case Opcode::mul:
    case Opcode::mad:
      if (i.mod.half == ptx::Half::wide) return ptx::size_of(i.mod.type) == 4;
      break;
    default:
      break;
  }
  return ptx::size_of(i.mod.type) == 8;
}

std::uint8_t permute_mode(const std::string& rest) {
  constexpr std::array names{"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"};
  for (std::size_t k = 0; k < names.size(); ++k)
    if (rest == names[k]) return static_cast<std::uint8_t>(k);
  throw Unsupported("its mode is not known");
}

std::uint8_t property(const std::string& rest) {
  constexpr std::array names{".finite", ".infinite", ".number", ".notanumber", ".normal", ".subnormal"};
  for (std::size_t k = 0; k < names.size(); ++k)
    if (rest == names[k]) return static_cast<std::uint8_t>(k);
  throw Unsupported("its property is not known");
}

std::int64_t float_options(const ptx::Instruction& i) {
  return (i.mod.ftz ? 1 : 0) | (i.mod.sat ? 2 : 0) | (i.mod.relu ? 4 : 0);
}

// Inst::sub of arithmetic: what the handler must know beside the types.
std::uint8_t mode_of(const ptx::Instruction& i) {
  std::uint8_t mode = 0;
  switch (i.op) {
    case Opcode::dp2a:
      mode = i.mod.half == ptx::Half::hi;
      break;
    case Opcode::vabsdiff4:
      mode = i.mod.atomic == ptx::AtomicOp::add;
      break;
    case Opcode::szext:
      mode = i.mod.wrap;
      break;
    case Opcode::lop3:
      mode = static_cast<std::uint8_t>(i.mod.combine);
      break;
    case Opcode::shf:
      mode = static_cast<std::uint8_t>((i.mod.left ? 1 : 0) | (i.mod.wrap ? 2 : 0));
      break;
    case Opcode::bfind:
      mode = i.mod.shift_amount;
      break;
    case Opcode::prmt:
      mode = permute_mode(i.mod.rest);
      break;
    case Opcode::bmsk:
      mode = i.mod.wrap;
      break;
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mad:
    case Opcode::addc:
    case Opcode::subc:
    case Opcode::madc:
      mode = static_cast<std::uint8_t>(
          (i.op == Opcode::addc || i.op == Opcode::subc || i.op == Opcode::madc ? 1 : 0) |
          (i.mod.carry_out ? 2 : 0));
      if (ptx::is_float(i.mod.type)) mode = static_cast<std::uint8_t>(i.mod.rounding);
      break;
    default:
      mode = static_cast<std::uint8_t>(i.mod.rounding);
  }
  return mode;
}

}  // namespace

std::string spell(const ptx::Instruction& i) {
  std::string s(ptx::name_of(i.op));
  s += i.mod.rest;
  if (i.mod.type != Type::none) s += std::string(".") + type_names[static_cast<std::size_t>(i.mod.type)];
  if (i.mod.source_type != Type::none)
    s += std::string(".") + type_names[static_cast<std::size_t>(i.mod.source_type)];
  return s;
}

// dispatch: one row an opcode
void Decoder::instruction(const ptx::Instruction& i, Inst& in) {
  if (control(i, in, in.ir)) return;
  switch (i.op) {
    case Opcode::mov:
      move(i, in);
      return;
    case Opcode::cvta:
      convert_address(i, in);
      return;
    case Opcode::cvt:
      conversion(i, in);
      return;
    case Opcode::setp:
    case Opcode::set:
    case Opcode::testp:
      comparison(i, in);
      return;
    case Opcode::selp:
    case Opcode::slct:
      select(i, in);
      return;
    case Opcode::isspacep: {
      bool negated = false;
      in.d = predicate(i.operands.at(0), negated);
      in.slot_d = predicate_slot(in.d);
      const Row a = source(i.operands.at(1), true);
      in.a = a.offset;
      in.slot_a = a.slot;
      in.sub = static_cast<std::uint8_t>(i.mod.space);
      in.run = is_space;
      return;
    }
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
      load_store(i, in);
      return;
    case Opcode::atom:
    case Opcode::red:
      atomic(i, in);
      return;
    case Opcode::cp_async:
      async_copy(i, in);
      return;
    case Opcode::mbarrier:
      barrier_object(i, in);
      return;
    case Opcode::createpolicy: {  // a hint's value means something to the cache alone
      set_destination(in, i.operands.at(0), true);
      in.a = constant(0, true).offset;
      ptx::Instruction as = i;
      as.op = Opcode::mov;
      as.mod.type = Type::b64;
      in.run = handlers().integer(as);
      return;
    }
    case Opcode::mma:
    case Opcode::wmma:
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix:
      matrix(i, in);
      return;
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::activemask:
    case Opcode::elect:
    case Opcode::bar_warp_sync:
      collective(i, in);
      return;
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::applypriority:
    case Opcode::discard:
    case Opcode::pmevent:
    case Opcode::setmaxnreg:
    case Opcode::griddepcontrol:
      in.run = no_effect;
      return;
    default:
      arithmetic(i, in);
  }
}

void Decoder::arithmetic(const ptx::Instruction& i, Inst& in) {
  in.run = find(i);
  if (in.run == nullptr) throw Unsupported("this form is not supported");
  const auto& o = i.operands;
  if (i.mod.type == Type::pred) {
    bool no = false;
    in.d = predicate(o.at(0), no);
    in.slot_d = predicate_slot(in.d);
    in.a = predicate(o.at(1), no);
    in.slot_a = predicate_slot(in.a);
    if (no) in.flags |= flag::not_a;
    if (o.size() > 2) {
      in.b = predicate(o.at(2), no);
      in.slot_b = predicate_slot(in.b);
      if (no) in.flags |= flag::not_b;
    }
    return;
  }
  set_destination(in, o.at(0), result_is_wide(i));
  // lop3 with a predicate: [d, p, a, b, c, table, q].
  const std::size_t pair = i.op == Opcode::lop3 && i.mod.pair ? 1 : 0;
  if (pair != 0) {
    bool no = false;
    in.e = predicate(o.at(1), no);
    in.target = predicate(o.at(6), no);
    if (no) in.flags |= flag::not_c;
    if (in.slot_g == 0) in.slot_g = predicate_slot(in.target);
  }
  const std::size_t sources = i.op == Opcode::lop3 ? 3 : o.size() - 1;
  std::uint32_t* const offsets[] = {&in.a, &in.b, &in.c, &in.e};
  std::uint32_t* const slots[] = {&in.slot_a, &in.slot_b, &in.slot_c};
  for (std::size_t k = 0; k < sources && k < 4; ++k) {
    const Row r = source(o[k + 1 + pair], source_is_wide(i, k));
    *offsets[k] = r.offset;
    if (k < 3) *slots[k] = r.slot;
  }
  // Handlers of two or one sources may look at the others; give them rows that exist.
  if (sources < 2) in.b = in.a;
  if (sources < 3) in.c = in.a;
  in.imm = i.op == Opcode::lop3 ? static_cast<std::int64_t>(o.at(4 + pair).bits) : float_options(i);
  in.sub = mode_of(i);
}

void Decoder::comparison(const ptx::Instruction& i, Inst& in) {
  const auto& o = i.operands;
  in.run = find(i);
  if (in.run == nullptr) throw Unsupported("this form is not supported");
  const Type t = i.op == Opcode::set ? i.mod.source_type : i.mod.type;
  std::size_t next = 1;
  bool no = false;
  if (i.op == Opcode::set) {
    set_destination(in, o.at(0), false);
    if (i.mod.type == Type::f32) in.flags |= flag::wide_d;
  } else {
    if (o.at(0).kind == OpKind::none)
      in.d = 0;
    else
      in.d = predicate(o.at(0), no);
    in.slot_d = predicate_slot(in.d);
  }
  if (i.op == Opcode::setp && i.mod.pair) {
    in.e = predicate(o.at(next++), no);
    in.flags |= flag::has_e;
  }
  const Row a = source(o.at(next++), is_wide(t));
  in.a = a.offset;
  in.slot_a = a.slot;
  if (i.op == Opcode::testp) {
    in.sub = property(i.mod.rest);
    return;
  }
  const Row b = source(o.at(next++), is_wide(t));
  in.b = b.offset;
  in.slot_b = b.slot;
  in.sub = static_cast<std::uint8_t>(i.mod.compare);
  in.imm = static_cast<std::int64_t>(i.mod.combine);
  if (i.mod.combine != ptx::Combine::none) {
    in.c = predicate(o.at(next), no);
    in.slot_c = predicate_slot(in.c);
    if (no) in.flags |= flag::not_c;
  }
}

void Decoder::select(const ptx::Instruction& i, Inst& in) {
  const auto& o = i.operands;
  in.run = find(i);
  if (in.run == nullptr) throw Unsupported("this form is not supported");
  const bool wide = is_wide(i.mod.type);
  set_destination(in, o.at(0), wide);
  const Row a = source(o.at(1), wide), b = source(o.at(2), wide);
  in.a = a.offset;
  in.slot_a = a.slot;
  in.b = b.offset;
  in.slot_b = b.slot;
  if (i.op == Opcode::selp) {
    bool no = false;
    in.c = predicate(o.at(3), no);
    in.slot_c = predicate_slot(in.c);
    if (no) in.flags |= flag::not_c;
    return;
  }
  const Row c = source(o.at(3), false);
  in.c = c.offset;
  in.slot_c = c.slot;
  in.sub = i.mod.source_type == Type::f32;
  in.imm = float_options(i);
}

void Decoder::conversion(const ptx::Instruction& i, Inst& in) {
  const auto& o = i.operands;
  if (o.at(0).kind != OpKind::reg) throw Unsupported("the result must be a register");
  const Row d = row(o.at(0).reg);
  const bool source_wide = ptx::size_of(i.mod.source_type) == 8;
  const Row a = o.at(1).kind == OpKind::reg ? row(o[1].reg) : source(o[1], source_wide);
  const bool natural = d.wide == is_wide(i.mod.type) && a.wide == source_wide;
  in.run = handlers().convert(i, natural);
  if (in.run == nullptr) throw Unsupported("this conversion is not supported");
  in.d = d.offset;
  in.slot_d = d.slot;
  in.a = a.offset;
  in.slot_a = a.slot;
  if (d.wide) in.flags |= flag::wide_d;
  if (a.wide) in.flags |= flag::wide_a;
  if (o.size() > 2) {
    const Row b = source(o[2], false);
    in.b = b.offset;
    in.slot_b = b.slot;
  }
  if (o.size() > 3) {
    const Row c = source(o[3], false);
    in.c = c.offset;
    in.slot_c = c.slot;
  }
  in.sub = static_cast<std::uint8_t>(i.mod.rounding);
  in.imm = float_options(i);
}

void Decoder::move(const ptx::Instruction& i, Inst& in) {
  const Operand& d = i.operands.at(0);
  const Operand& a = i.operands.at(1);
  if (d.kind == OpKind::vector || a.kind == OpKind::vector) return move_vector(i, in);
  if (i.mod.type == Type::pred || is_predicate(d)) {
    bool no = false;
    in.d = predicate(d, no);
    in.slot_d = predicate_slot(in.d);
    if (a.kind == OpKind::special)
      no = true;  // %is_explicit_cluster: no launch has clusters; the predicate 0 always holds
    else
      in.a = predicate(a, no);
    in.slot_a = predicate_slot(in.a);
    if (no) in.flags |= flag::not_a;
    ptx::Instruction typed = i;
    typed.mod.type = Type::pred;
    in.run = handlers().integer(typed);
    return;
  }
  if (d.kind != OpKind::reg) throw Unsupported("the result must be a register");
  const Row to = row(d.reg);
  in.d = to.offset;
  in.slot_d = to.slot;
  if (to.wide) in.flags |= flag::wide_d;
  if (a.kind == OpKind::special) {
    in.run = read_special;
    in.sub = static_cast<std::uint8_t>(a.special);
    in.target = a.special == ptx::Special::envreg ? a.index : 0;
    switch (a.special) {
      case ptx::Special::clock:
      case ptx::Special::clock_hi:
      case ptx::Special::clock64:
      case ptx::Special::globaltimer:
      case ptx::Special::globaltimer_lo:
      case ptx::Special::globaltimer_hi:
        in.kind = Kind::clock;
        code_->uses_clock = true;
        code_->uses_timer |= a.special >= ptx::Special::globaltimer;
        break;
      default:
        break;
    }
    return;
  }
  if (a.kind == OpKind::variable) return move_address(i, in);
  const Row from = source(a, to.wide);
  in.a = from.offset;
  in.slot_a = from.slot;
  ptx::Instruction typed = i;
  typed.mod.type = to.wide ? Type::b64 : Type::b32;
  in.run = handlers().integer(typed);
}

// mov d, name: the address of a variable in its own space.
void Decoder::move_address(const ptx::Instruction& i, Inst& in) {
  const Operand& a = i.operands.at(1);
  const bool wide = (in.flags & flag::wide_d) != 0;
  if (a.home == ptx::Home::params && function_.is_kernel) {
    const Row r = constant(function_.params.at(a.index).offset + static_cast<std::uint64_t>(a.offset), wide);
    in.a = r.offset;
  } else if (a.home == ptx::Home::params || a.home == ptx::Home::returns ||
             variable(a).space == ptx::Space::local || variable(a).space == ptx::Space::param) {
    in.imm = static_cast<std::int64_t>(place_of(a).offset) + a.offset;
    in.run = frame_address;
    return;
  } else if (is_dynamic_shared(a)) {
    in.imm = a.offset;
    in.run = dynamic_shared;
    return;
  } else {
    in.a = constant(address_of(a), wide).offset;
  }
  ptx::Instruction typed = i;
  typed.mod.type = wide ? Type::b64 : Type::b32;
  in.run = handlers().integer(typed);
}

void Decoder::move_vector(const ptx::Instruction& i, Inst& in) {
  const bool pack = i.operands.at(1).kind == OpKind::vector;
  const Operand& whole = i.operands.at(pack ? 0 : 1);
  const Operand& parts = i.operands.at(pack ? 1 : 0);
  const std::uint32_t bits = static_cast<std::uint32_t>(ptx::size_of(i.mod.type)) * 8 /
                             static_cast<std::uint32_t>(parts.elements.size());
  if (bits != 8 && bits != 16 && bits != 32) throw Unsupported("vectors of this shape are not supported");
  in.sub = static_cast<std::uint8_t>(bits);
  in.list.first = static_cast<std::uint32_t>(code_->rows.size());
  in.list.count = static_cast<std::uint32_t>(parts.elements.size());
  for (const Operand& e : parts.elements) {
    if (e.kind == OpKind::none)
      code_->rows.push_back({ptx::no_index, 1, false});
    else
      code_->rows.push_back(e.kind == OpKind::reg ? row(e.reg) : constant(e.bits, false));
  }
  if (pack) {
    set_destination(in, whole, is_wide(i.mod.type));
    if (is_wide(i.mod.type)) in.flags |= flag::wide_d;
    const auto* r = &code_->rows[in.list.first];
    in.slot_a = r[0].slot;
    if (in.list.count > 1) in.slot_b = r[1].slot;
    in.run = pack_vector;
  } else {
    const Row a = source(whole, is_wide(i.mod.type));
    in.a = a.offset;
    in.slot_a = a.slot;
    if (a.wide) in.flags |= flag::wide_a;
    in.kind = Kind::memory;  // several results: the loop sets the slots of the list
    in.run = unpack_vector;
  }
}

void Decoder::convert_address(const ptx::Instruction& i, Inst& in) {
  const bool wide = is_wide(i.mod.type);
  const Operand& a = i.operands.at(1);
  ptx::Instruction as = i;
  std::uint64_t window = 0;
  switch (i.mod.space) {
    case ptx::Space::shared:
      window = shared_window;
      break;
    case ptx::Space::local:
      window = local_window;
      break;
    case ptx::Space::param:
      window = param_window;
      break;
    default:
      break;
  }
  if (!wide && window != 0) throw Unsupported("generic addresses have 64 bits");
  set_destination(in, i.operands.at(0), wide);
  if (a.kind == OpKind::variable && (window == local_window || is_dynamic_shared(a)))
    throw Unsupported("move the address to a register first");
  const Row from =
      a.kind == OpKind::variable && a.home == ptx::Home::params
          ? constant(function_.params.at(a.index).offset + static_cast<std::uint64_t>(a.offset), true)
          : source(a, wide);
  in.a = from.offset;
  in.slot_a = from.slot;
  as.mod.type = wide ? Type::b64 : Type::b32;
  as.op = window == 0 ? Opcode::mov : i.mod.to_space ? Opcode::and_ : Opcode::or_;
  if (window != 0) in.b = constant(i.mod.to_space ? ~window_mask : window, true).offset;
  in.run = handlers().integer(as);
}

void Decoder::collective(const ptx::Instruction& i, Inst& in) {
  const auto& o = i.operands;
  in.run = handlers().collective(i);
  if (in.run == nullptr) throw Unsupported("this form is not supported");
  in.imm = -1;
  if (i.op == Opcode::activemask) {
    set_destination(in, o.at(0), false);
    return;
  }
  in.kind = Kind::gather;
  in.is_warp_barrier = i.op == Opcode::bar_warp_sync;
  std::size_t next = 0;
  bool no = false;
  const bool to_predicate = i.op == Opcode::vote && i.mod.vote != ptx::VoteMode::ballot;
  if (i.op == Opcode::elect) {
    in.d = o.at(0).kind == OpKind::none ? ptx::no_index : row(o[0].reg).offset;
    in.e = predicate(o.at(1), no);
    next = 2;
  } else if (to_predicate) {
    in.d = predicate(o.at(next++), no);
    in.slot_d = predicate_slot(in.d);
  } else if (i.op != Opcode::bar_warp_sync) {
    set_destination(in, o.at(next++), false);
    if (i.mod.pair) {
      in.e = predicate(o.at(next++), no);
      in.flags |= flag::has_e;
    }
  }
  if (i.op == Opcode::vote) {
    in.a = predicate(o.at(next++), no);
    in.slot_a = predicate_slot(in.a);
    if (no) in.flags |= flag::not_a;
    in.sub = static_cast<std::uint8_t>(i.mod.vote);
  } else if (i.op != Opcode::bar_warp_sync && i.op != Opcode::elect) {
    const bool wide = i.op == Opcode::match && is_wide(i.mod.type);
    const Row a = source(o.at(next++), wide);
    in.a = a.offset;
    in.slot_a = a.slot;
    in.sub = i.op == Opcode::match ? static_cast<std::uint8_t>(i.mod.vote)
                                   : static_cast<std::uint8_t>(i.mod.atomic);
  }
  if (i.op == Opcode::shfl) {
    const Row b = source(o.at(next++), false), c = source(o.at(next++), false);
    in.b = b.offset;
    in.slot_b = b.slot;
    in.c = c.offset;
    in.slot_c = c.slot;
    in.sub = static_cast<std::uint8_t>(i.mod.shuffle);
  }
  if (next < o.size()) in.imm = source(o[next], false).offset;
}

}  // namespace workbook::sim
