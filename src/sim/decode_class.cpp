// What the time model prices an instruction as, and how long its result takes.
#include "sim/decoder.h"

namespace workbook::sim {

using ptx::Opcode;
using ptx::Type;

// dispatch: one row an opcode
InstructionClass Decoder::class_of(const ptx::Instruction& i) const {
  using C = InstructionClass;
  const Type t = i.mod.type;
  switch (i.op) {
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
    case Opcode::ex2:
    case Opcode::tanh:
    case Opcode::div:
    case Opcode::rem:
      return C::special;
    case Opcode::cvt:
      return C::conversion;
    case Opcode::ld:
    case Opcode::ldu:
      return C::load;
    case Opcode::st:
    case Opcode::cp_async:
      return C::store;
    case Opcode::atom:
    case Opcode::red:
      return C::atomic;
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::activemask:
    case Opcode::elect:
      return C::shuffle;
    case Opcode::bar:
    case Opcode::barrier:
    case Opcode::bar_warp_sync:
    case Opcode::mbarrier:
    case Opcode::membar:
    case Opcode::fence:
      return C::barrier;
    case Opcode::bra:
    case Opcode::brx_idx:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::trap:
    case Opcode::brkpt:
    case Opcode::nanosleep:
      return C::control;
    case Opcode::mma:
    case Opcode::wmma:
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix:
      return C::tensor;
    case Opcode::mov:
    case Opcode::selp:
    case Opcode::slct:
      return C::integer;
    default:
      break;
  }
  if (t == Type::f64) return C::fp64;
  if (t == Type::f32) return C::fp32;
  if (ptx::is_float(t)) return C::fp16;
  switch (i.op) {
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::madc:
    case Opcode::mul24:
    case Opcode::mad24:
    case Opcode::dp4a:
    case Opcode::dp2a:
    case Opcode::sad:
      return C::integer_mul;
    default:
      return C::integer;
  }
}

std::uint64_t Decoder::latency_of(InstructionClass c) const {
  const Latencies& t = latencies_;
  std::uint32_t cycles = t.alu;
  switch (c) {
    case InstructionClass::integer_mul:
      cycles = t.integer_mul;
      break;
    case InstructionClass::fp64:
      cycles = t.fp64;
      break;
    case InstructionClass::special:
      cycles = t.special;
      break;
    case InstructionClass::conversion:
      cycles = t.conversion;
      break;
    case InstructionClass::shuffle:
      cycles = t.shuffle;
      break;
    case InstructionClass::atomic:
      cycles = t.atomic;
      break;
    default:
      break;
  }
  return std::uint64_t{cycles} << 16;
}

}  // namespace workbook::sim
