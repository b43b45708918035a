// Which registers a function may read before it has written them. A new frame clears these rows and leaves
// the others as they are: for what nvcc writes that is nearly none, and clearing all was a good part of a
// short kernel's time.
//
// A register counts as written where every way from the start has written it, without a guard.
#include "sim/decoder.h"

namespace workbook::sim {

using ptx::Opcode;
using ptx::Operand;
using OpKind = ptx::Operand::Kind;

namespace {

using Registers = std::vector<bool>;

// How many of the first operands are results.
std::size_t results_of(const ptx::Instruction& i) {
  switch (i.op) {
    case Opcode::st:
    case Opcode::red:
    case Opcode::bra:
    case Opcode::brx_idx:
    case Opcode::call:
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::cp_async:
    case Opcode::stmatrix:
    case Opcode::nanosleep:
    case Opcode::bar_warp_sync:
    case Opcode::mbarrier:
    case Opcode::discard:
    case Opcode::applypriority:
    case Opcode::cp_reduce:
    case Opcode::stackrestore:
      return 0;
    case Opcode::bar:
    case Opcode::barrier:
      return i.mod.barrier == ptx::BarrierAction::red ? 1 : 0;
    case Opcode::wmma:
      return i.mod.rest.find(".store") == 0 ? 0 : 1;
    case Opcode::elect:
      return 2;
    default:
      return i.mod.pair ? 2 : 1;
  }
}

template <class F>
void each_register(const Operand& o, F f) {
  if (o.kind == OpKind::reg || (o.kind == OpKind::address && o.reg != ptx::no_index)) f(o.reg);
  for (const Operand& e : o.elements) each_register(e, f);
}

// Walks a block from what is written at its begin; tells `missing` of every register read before.
template <class F>
void walk(const ptx::Function& function, const ptx::Block& block, Registers& written, F missing) {
  for (std::uint32_t at = block.first; at < block.end; ++at) {
    const ptx::Instruction& i = function.body[at];
    const std::size_t results = results_of(i);
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      // The address in a result's place is read.
      if (k < results && i.operands[k].kind != OpKind::address) continue;
      each_register(i.operands[k], [&](std::uint32_t r) {
        if (!written[r]) missing(r);
      });
    }
    if (i.guard != ptx::no_index) continue;
    for (std::size_t k = 0; k < results && k < i.operands.size(); ++k)
      if (i.operands[k].kind != OpKind::address)
        each_register(i.operands[k], [&](std::uint32_t r) { written[r] = true; });
  }
}

}  // namespace

void Decoder::find_live_in() {
  const std::size_t count = function_.registers.size();
  const auto& blocks = flow_.blocks;
  // What is written at the begin of each block; first all, then less until nothing changes.
  std::vector<Registers> at_begin(blocks.size(), Registers(count, true));
  if (!blocks.empty()) at_begin[0].assign(count, false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const ptx::Block& block : blocks) {
      Registers written = at_begin[static_cast<std::size_t>(&block - blocks.data())];
      walk(function_, block, written, [](std::uint32_t) {});
      for (const std::uint32_t next : block.successors) {
        if (next >= blocks.size()) continue;
        for (std::size_t r = 0; r < count; ++r)
          if (at_begin[next][r] && !written[r]) {
            at_begin[next][r] = false;
            changed = true;
          }
      }
    }
  }
  Registers missing(count, false);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Registers written = at_begin[b];
    walk(function_, blocks[b], written, [&](std::uint32_t r) { missing[r] = true; });
  }
  for (std::size_t r = 0; r < count; ++r)
    if (missing[r] && function_.registers[r].type != ptx::Type::pred)
      code_->live_in.push_back({registers_[r].offset, registers_[r].wide ? wide_row : narrow_row});
}

}  // namespace workbook::sim
