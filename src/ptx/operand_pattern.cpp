#include "ptx/operand_pattern.h"

namespace workbook::ptx {

namespace {

std::string_view pattern_of_warp(Opcode op, const Modifiers& mod) {
  switch (op) {
    case Opcode::shfl:
      return mod.pair ? "DPTiii" : "DTiii";
    case Opcode::vote:
      return mod.vote == VoteMode::ballot ? "Ipi" : "Ppi";
    case Opcode::match:
      return mod.pair ? "IPTi" : "ITi";
    case Opcode::redux:
      return "DTi";
    case Opcode::activemask:
      return "I";
    case Opcode::elect:
      return "IPi";
    case Opcode::bar_warp_sync:
      return "i";
    case Opcode::bar:
    case Opcode::barrier:
      if (mod.rest.find(".cluster") != std::string::npos) return "";
      if (mod.barrier == BarrierAction::arrive) return "ii";
      if (mod.barrier != BarrierAction::red) return "i?i";
      return mod.combine == Combine::none ? "Ii*?p" : "Pi*?p";
    default:
      return "?+";
  }
}

std::string_view pattern_of_memory(Opcode op, const Modifiers& mod) {
  switch (op) {
    case Opcode::ld:
      return "LA?*";
    case Opcode::ldu:
      return "LA";
    case Opcode::st:
      return "Al?*";
    case Opcode::atom:
      return mod.atomic == AtomicOp::cas ? "DATT?*" : "DAT?*";
    case Opcode::red:
      return "AT?*";
    case Opcode::prefetch:
    case Opcode::prefetchu:
      return "A";
    case Opcode::ldmatrix:
      return "*A";
    case Opcode::stmatrix:
      return "A*";
    case Opcode::mbarrier:
      return "*?+";
    default:
      return "?+";
  }
}

std::string_view pattern_of_compare(Opcode op, const Modifiers& mod) {
  const bool combined = mod.combine != Combine::none;
  if (op == Opcode::set) return combined ? "DSSp" : "DSS";
  if (mod.pair) return combined ? "PPTTp" : "PPTT";
  return combined ? "PTTp" : "PTT";
}

}  // namespace

// clang-format off
std::string_view pattern_of(Opcode op, const Modifiers& mod) {
  switch (op) {
    case Opcode::add: case Opcode::addc: case Opcode::sub: case Opcode::subc: case Opcode::div:
    case Opcode::rem: case Opcode::and_: case Opcode::or_: case Opcode::xor_: case Opcode::copysign:
      return "DTT";
    case Opcode::abs: case Opcode::neg: case Opcode::rcp: case Opcode::sqrt: case Opcode::rsqrt:
    case Opcode::sin: case Opcode::cos: case Opcode::lg2: case Opcode::ex2: case Opcode::tanh:
    case Opcode::not_: case Opcode::cnot: case Opcode::brev: return "DT";
    case Opcode::mul: return "WTT";
    case Opcode::mad: case Opcode::madc: return "WTTw";
    case Opcode::mul24: return "DTT";
    case Opcode::mad24: case Opcode::fma: case Opcode::sad: return "DTTT";
    case Opcode::min: case Opcode::max: return "DTT?T";
    case Opcode::vabsdiff4: case Opcode::dp2a: case Opcode::dp4a: case Opcode::prmt: case Opcode::shf: case Opcode::fns:
      return "Iiii";
    case Opcode::testp: return "PT";
    case Opcode::lop3: return mod.pair ? "DPTTTNp" : "DTTTN";
    case Opcode::shl: case Opcode::shr: return "DTi";
    case Opcode::bfe: return "DTii";
    case Opcode::bfi: return "DTTii";
    case Opcode::bfind: case Opcode::clz: case Opcode::popc: return "IT";
    case Opcode::bmsk: return "DTT";
    case Opcode::szext: return "DTi";
    case Opcode::set: case Opcode::setp: return pattern_of_compare(op, mod);
    case Opcode::selp: return "DTTp";
    case Opcode::slct: return "DTTS";
    case Opcode::mov: return "**";
    case Opcode::cvt: return mod.rest.find(".pack") != std::string::npos ? "Iii?i" : "Lk?k*";
    case Opcode::cvta: return "DT";
    case Opcode::isspacep: return "P*";
    case Opcode::mapa: case Opcode::getctarank: return "**?*";
    case Opcode::membar: case Opcode::ret: case Opcode::exit: case Opcode::trap: case Opcode::brkpt:
      return "";
    case Opcode::bra: return "*";
    case Opcode::brx_idx: return "i*";
    case Opcode::nanosleep: return "i";
    default: break;
  }
  const std::string_view memory = pattern_of_memory(op, mod);
  return memory != "?+" ? memory : pattern_of_warp(op, mod);
}
// clang-format on

}  // namespace workbook::ptx
