#include "sim/decode.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "sim/decoder.h"
#include "sim/exec_special.h"

namespace workbook::sim {

using ptx::Opcode;
using ptx::Operand;
using ptx::Type;
using OpKind = ptx::Operand::Kind;

namespace {

// Scoreboard slots: 0 is always ready, 1 takes results nobody reads, 2 is the carry flag.
constexpr std::uint32_t sink_slot = 1, carry_slot = 2, first_slot = 3;
// Predicates: 0 is true, 1 holds the carry flags.
constexpr std::uint32_t first_predicate = 2;

std::uint32_t align_to(std::uint32_t v, std::uint32_t a) {
  return (v + a - 1) / a * a;
}

}  // namespace

std::string demangle(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string s = status == 0 && text != nullptr ? text : name;
  std::free(text);
  // The parameter list is the last top-level parenthesis; the return type of a template is the first word.
  int depth = 0;
  std::size_t cut = s.size(), begin = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '<') ++depth;
    if (s[i] == '>') --depth;
    if (depth == 0 && s[i] == '(' && s.compare(i, 21, "(anonymous namespace)") != 0) {
      cut = i;
      break;
    }
    if (depth == 0 && s[i] == '(') i += 20;
    if (depth == 0 && s[i] == ' ') begin = i + 1;
  }
  return s.substr(begin, cut - begin);
}

void lay_out_shared(ModuleLayout& layout) {
  const ptx::Module& m = *layout.module;
  std::uint32_t top = 0;
  const auto place = [&](const ptx::Variable& v) {
    top = align_to(top, std::max<std::uint32_t>(v.align, 1));
    const std::uint32_t at = top;
    top += static_cast<std::uint32_t>(v.size);
    return at;
  };
  for (std::size_t i = 0; i < m.variables.size(); ++i)
    if (m.variables[i].space == ptx::Space::shared && m.variables[i].size != 0)
      layout.variable_address[i] = place(m.variables[i]);
  layout.function_shared.resize(m.functions.size());
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1) layout.common_shared = align_to(top, 16);
    for (std::size_t f = 0; f < m.functions.size(); ++f) {
      const ptx::Function& function = m.functions[f];
      if (function.is_kernel != (pass == 1)) continue;
      if (pass == 1) top = layout.common_shared;
      for (const ptx::Variable& v : function.variables)
        layout.function_shared[f].push_back(v.space == ptx::Space::shared && v.size != 0 ? place(v) : 0);
    }
  }
}

Decoder::Decoder(const ModuleLayout& layout, std::uint32_t function, const Latencies& latencies,
                 std::uint32_t first_hit)
    : layout_(layout),
      module_(*layout.module),
      function_(module_.functions[function]),
      function_index_(function),
      latencies_(latencies),
      code_(std::make_unique<Code>()) {
  code_->module = &module_;
  code_->function = &function_;
  code_->display_name = demangle(function_.name);
  code_->first_hit = first_hit;
  code_->number = layout.first_function + function;
}

std::unique_ptr<Code> Decoder::run() {
  if (!function_.unreadable.empty()) {
    code_->unsupported = function_.unreadable;
    return std::move(code_);
  }
  place_registers();
  place_variables();
  flow_ = ptx::analyze(function_);
  code_->body.resize(function_.body.size() + 1);
  for (std::uint32_t at = 0; at < function_.body.size(); ++at) {
    const ptx::Instruction& i = function_.body[at];
    Inst& in = code_->body[at];
    in.ir = at;
    in.site = code_->first_hit + at;
    in.slot_d = sink_slot;
    in.cls = class_of(i);
    in.latency = latency_of(in.cls);
    in.meet = at < flow_.reconvergence.size() ? flow_.reconvergence[at] : ptx::no_index;
    if (i.guard != ptx::no_index) {
      in.guard = registers_[i.guard].offset;
      in.slot_g = registers_[i.guard].slot;
      in.guard_not = i.guard_negated ? full_mask : 0;
    }
    try {
      instruction(i, in);
    } catch (const Unsupported& reason) {
      if (!code_->unsupported.empty()) continue;
      code_->unsupported = "the instruction " + spell(i) + " (PTX line " + std::to_string(i.ptx_line);
      if (i.at.file != 0 && i.at.file < module_.files.size())
        code_->unsupported += ", from " + module_.files[i.at.file] + ":" + std::to_string(i.at.line);
      code_->unsupported += ") cannot run on the simulated device: " + std::string(reason.what());
    }
  }
  // Lanes that would meet only to end don't wait for each other: a thread that returns early leaves at once.
  for (Inst& in : code_->body) {
    if (!function_.is_kernel || in.meet >= function_.body.size() ||
        (in.kind != Kind::branch && in.kind != Kind::branch_index))
      continue;
    const ptx::Instruction& at = function_.body[in.meet];
    if (at.guard == ptx::no_index && (at.op == Opcode::ret || at.op == Opcode::exit)) in.meet = ptx::no_index;
  }
  Inst& end = code_->body.back();  // running past the last instruction ends the thread
  end.kind = function_.is_kernel ? Kind::exit : Kind::ret;
  end.cls = InstructionClass::control;
  end.slot_d = sink_slot;
  end.ir = static_cast<std::uint32_t>(function_.body.size());
  end.site = code_->first_hit + end.ir;
  find_live_in();
  return std::move(code_);
}

void Decoder::place_registers() {
  std::uint32_t slot = first_slot, offset = 0, predicates = first_predicate;
  for (const ptx::Register& r : function_.registers) {
    if (r.type == Type::pred) {
      registers_.push_back({predicates++, slot++, false});
      continue;
    }
    const bool wide = ptx::size_of(r.type) == 8;
    registers_.push_back({offset, slot++, wide});
    offset += wide ? wide_row : narrow_row;
  }
  code_->row_bytes = offset;
  code_->predicates = predicates;
  code_->slots = slot;
}

void Decoder::place_variables() {
  std::uint32_t top = 0;
  const auto add = [&](std::uint64_t size, std::uint32_t align) {
    top = align_to(top, std::max<std::uint32_t>(align, 8));
    const Place p{top, static_cast<std::uint32_t>(size)};
    top += p.size;
    return p;
  };
  if (!function_.is_kernel) {
    for (const ptx::Parameter& p : function_.params) code_->params.push_back(add(p.size, p.align));
    for (const ptx::Parameter& p : function_.returns) code_->returns.push_back(add(p.size, p.align));
  }
  variable_place_.resize(function_.variables.size());
  for (const ptx::Space space : {ptx::Space::param, ptx::Space::local}) {
    for (std::size_t i = 0; i < function_.variables.size(); ++i)
      if (function_.variables[i].space == space)
        variable_place_[i] = add(function_.variables[i].size, function_.variables[i].align).offset;
  }
  code_->frame_bytes = top;  // the last local variable ends the frame, so that running over its end is seen
  std::uint32_t shared = layout_.common_shared;
  for (std::size_t i = 0; i < function_.variables.size(); ++i) {
    if (function_.variables[i].space != ptx::Space::shared) continue;
    variable_place_[i] = layout_.function_shared[function_index_][i];
    shared = std::max(shared, variable_place_[i] + static_cast<std::uint32_t>(function_.variables[i].size));
  }
  code_->static_shared = function_.is_kernel ? shared : 0;
}

Row Decoder::row(std::uint32_t reg) const {
  if (reg >= registers_.size()) throw Unsupported("an operand is missing");
  if (function_.registers[reg].type == Type::pred)
    throw Unsupported("it has a predicate where a value belongs");
  if (ptx::size_of(function_.registers[reg].type) > 8)
    throw Unsupported("128-bit registers are not supported");
  return registers_[reg];
}

bool Decoder::is_predicate(const Operand& o) const {
  return o.kind == OpKind::reg && function_.registers[o.reg].type == Type::pred;
}

Row Decoder::constant(std::uint64_t bits, bool wide) {
  if (!wide) bits &= 0xffffffffu;
  const auto [it, is_new] = constants_.try_emplace({bits, wide});
  if (is_new) {
    it->second = {code_->row_bytes, 0, wide};
    code_->constants.push_back({code_->row_bytes, wide, bits});
    code_->row_bytes += wide ? wide_row : narrow_row;
  }
  return it->second;
}

Row Decoder::source(const Operand& o, bool wide) {
  switch (o.kind) {
    case OpKind::reg: {
      const Row r = row(o.reg);
      if (r.wide != wide)
        throw Unsupported("the register " + function_.registers[o.reg].name +
                          " does not have the width of the type");
      return r;
    }
    case OpKind::immediate:
      return constant(o.bits, wide);
    case OpKind::variable:
      return constant(address_of(o), wide);
    case OpKind::function:
      return constant(code_window + layout_.first_function + o.index, wide);
    case OpKind::special:
      throw Unsupported("a special register can be read by mov only");
    default:
      throw Unsupported("this kind of operand is not supported here");
  }
}

std::uint32_t Decoder::predicate(const Operand& o, bool& negated) const {
  negated = o.negated;
  if (o.kind == OpKind::immediate) {
    negated = (o.bits & 1) == 0;
    return 0;  // always true, or its opposite
  }
  if (!is_predicate(o)) throw Unsupported("a predicate is missing");
  return registers_[o.reg].offset;
}

std::uint32_t Decoder::predicate_slot(std::uint32_t number) const {
  if (number < first_predicate) return number == 1 ? carry_slot : 0;
  for (std::size_t i = 0; i < registers_.size(); ++i)
    if (function_.registers[i].type == Type::pred && registers_[i].offset == number)
      return registers_[i].slot;
  return 0;
}

void Decoder::set_destination(Inst& in, const Operand& o, bool wide) {
  if (o.kind == OpKind::none) {
    in.d = constant(0xdeadull << 32 | (wide ? 1 : 0), wide).offset;  // a row nobody reads
    throw Unsupported("the result is dropped");
  }
  if (o.kind != OpKind::reg) throw Unsupported("the result must be a register");
  const Row r = row(o.reg);
  if (r.wide != wide)
    throw Unsupported("the register " + function_.registers[o.reg].name +
                      " does not have the width of the type");
  in.d = r.offset;
  in.slot_d = r.slot;
}

const ptx::Variable& Decoder::variable(const Operand& o) const {
  if (o.home == ptx::Home::module) return module_.variables.at(o.index);
  if (o.home == ptx::Home::function) return function_.variables.at(o.index);
  throw Unsupported("a parameter has no address here");
}

bool Decoder::is_dynamic_shared(const Operand& o) const {
  if (o.home != ptx::Home::module && o.home != ptx::Home::function) return false;
  const ptx::Variable& v = variable(o);
  return v.space == ptx::Space::shared && v.size == 0;
}

std::uint64_t Decoder::address_of(const Operand& o) const {
  const ptx::Variable& v = variable(o);
  std::uint64_t at = 0;
  if (o.home == ptx::Home::module)
    at = layout_.variable_address.at(o.index);
  else if (v.space == ptx::Space::shared)
    at = variable_place_.at(o.index);
  else
    throw Unsupported("the address of this variable is not known before the call");
  if (o.home == ptx::Home::module && v.is_extern && v.size != 0 && at == 0)
    throw Unsupported("the variable " + v.name + " is defined in another module");
  return at + static_cast<std::uint64_t>(o.offset);
}

std::unique_ptr<Code> decode(const ModuleLayout& layout, std::uint32_t function, const Latencies& latencies,
                             std::uint32_t first_hit) {
  return Decoder(layout, function, latencies, first_hit).run();
}

}  // namespace workbook::sim
