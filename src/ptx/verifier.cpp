#include "ptx/verifier.h"

#include <fmt/format.h>

#include "ptx/modifiers.h"
#include "ptx/operand_pattern.h"

namespace workbook::ptx {

namespace {

bool is_bits(Type type) {
  return type >= Type::b8 && type <= Type::b128;
}

// A register's declared type under an instruction's type. `loose`: the register may be wider.
bool fits(Type reg, Type wanted, bool loose) {
  if (wanted == Type::none) return true;
  if (reg == Type::pred || wanted == Type::pred) return reg == wanted;
  if (loose ? size_of(reg) < size_of(wanted) : size_of(reg) != size_of(wanted)) return false;
  if (loose || is_bits(reg) || is_bits(wanted)) return true;
  return is_float(reg) == is_float(wanted);
}

Type widened(const Modifiers& mod) {
  if (mod.half != Half::wide) return mod.type;
  switch (mod.type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return mod.type;
  }
}

class Checker {
 public:
  Checker(const Instruction& instruction, const Function& function, const Module& module)
      : instruction_(instruction), mod_(instruction.mod), function_(function), module_(module) {}

  std::string run() {
    std::string mistake = needed_modifiers();
    if (!mistake.empty()) return mistake;
    if (instruction_.op == Opcode::call) return call();
    if (instruction_.op == Opcode::mov) return mov();
    return by_pattern(pattern_of(instruction_.op, mod_));
  }

 private:
  std::string named(std::string_view text) const {
    return fmt::format("`{}` {}", name_of(instruction_.op), text);
  }

  // What must be written for the instruction to mean anything.
  std::string needed_modifiers() const {
    const auto need = [this](bool there, const char* what) {
      return there ? std::string() : named(fmt::format("needs {}", what));
    };
    const bool is_integer = !is_float(mod_.type);
    switch (instruction_.op) {
      case Opcode::setp:
      case Opcode::set:
        return need(mod_.compare != Compare::none, "a comparison such as .lt");
      case Opcode::shfl:
        return need(mod_.shuffle != ShuffleMode::none && mod_.sync, "`.sync` and a mode such as .down");
      case Opcode::vote:
      case Opcode::match:
        return need(mod_.vote != VoteMode::none && mod_.sync, "`.sync` and a mode such as .any");
      case Opcode::atom:
      case Opcode::red:
        return need(mod_.atomic != AtomicOp::none, "an operation such as .add");
      case Opcode::redux:
        return need(mod_.atomic != AtomicOp::none && mod_.sync, "`.sync` and an operation such as .add");
      case Opcode::mul:
      case Opcode::mad:
      case Opcode::madc:
        return need(!is_integer || mod_.half != Half::none, "`.lo`, `.hi` or `.wide`");
      case Opcode::bar:
        return need(mod_.barrier != BarrierAction::none, "`.sync`, `.arrive` or `.red`");
      case Opcode::cvt:
        return need(mod_.source_type != Type::none, "two types");
      case Opcode::mapa:
      case Opcode::isspacep:
        return need(mod_.space != Space::none, "a state space such as .global");
      default:
        return {};
    }
  }

  std::string by_pattern(std::string_view pattern) const {
    const auto& operands = instruction_.operands;
    bool optional = false;
    std::size_t at = 0;
    for (const char letter : pattern) {
      if (letter == '+') return {};
      if (letter == '?') {
        optional = true;
        continue;
      }
      if (at == operands.size()) return optional ? std::string() : counts(pattern);
      std::string mistake = operand(operands[at++], letter);
      if (!mistake.empty()) return mistake;
    }
    return at == operands.size() ? std::string() : counts(pattern);
  }

  std::string counts(std::string_view pattern) const {
    const std::size_t least = std::min(pattern.find('?'), pattern.size());
    return named(fmt::format("takes {}{} operands, not {}", pattern.size() > least ? "at least " : "", least,
                             instruction_.operands.size()));
  }

  std::string operand(const Operand& operand, char letter) const {
    switch (letter) {
      case 'D':
        return destination(operand, mod_.type, false);
      case 'W':
        return destination(operand, widened(mod_), false);
      case 'I':
        return destination(operand, Type::b32, false);
      case 'P':
        return destination(operand, Type::pred, false);
      case 'L':
        return destination(operand, mod_.type, true);
      case 'T':
        return source(operand, mod_.type, false);
      case 'w':
        return source(operand, widened(mod_), false);
      case 'S':
        return source(operand, mod_.source_type, false);
      case 'i':
        return source(operand, Type::b32, false);
      case 'p':
        return source(operand, Type::pred, false);
      case 'l':
        return source(operand, mod_.type, true);
      case 'k':
        return source(operand, mod_.source_type, true);
      case 'A':
        if (operand.kind == Operand::Kind::address) return address(operand);
        return named("needs an address in brackets");
      case 'N':
        return operand.kind == Operand::Kind::immediate ? std::string() : named("needs a literal table");
      default:
        return {};
    }
  }

  std::string reg(const Operand& operand, Type wanted, bool loose) const {
    const Register& declared = function_.registers[operand.reg];
    if (operand.negated && declared.type != Type::pred) {
      return fmt::format("`!` before {}, which is no predicate", declared.name);
    }
    if (fits(declared.type, wanted, loose)) return {};
    return fmt::format("register {} is .{}, but `{}` needs .{} here", declared.name, name_of(declared.type),
                       name_of(instruction_.op), name_of(wanted));
  }

  std::string vector(const Operand& operand, Type wanted, bool loose, bool is_source) const {
    if (instruction_.op == Opcode::ld || instruction_.op == Opcode::st || instruction_.op == Opcode::ldu ||
        instruction_.op == Opcode::atom || instruction_.op == Opcode::red) {
      if (operand.elements.size() != mod_.vector) {
        return named(fmt::format("has .v{} but {} elements", mod_.vector, operand.elements.size()));
      }
    } else {
      return named("does not take a vector here");
    }
    for (const Operand& element : operand.elements) {
      if (element.kind == Operand::Kind::vector) return named("can't take a vector in a vector");
      std::string mistake = is_source ? source(element, wanted, loose) : destination(element, wanted, loose);
      if (!mistake.empty()) return mistake;
    }
    return {};
  }

  std::string destination(const Operand& operand, Type wanted, bool loose) const {
    switch (operand.kind) {
      case Operand::Kind::none:
        return {};
      case Operand::Kind::reg:
        if (operand.negated) return named("can't write to a negated predicate");
        return scalar_where_vector() ? named("needs a vector in braces") : reg(operand, wanted, loose);
      case Operand::Kind::vector:
        return vector(operand, wanted, loose, false);
      default:
        return named("needs a register to write to");
    }
  }

  std::string source(const Operand& operand, Type wanted, bool loose) const {
    switch (operand.kind) {
      case Operand::Kind::reg:
        return reg(operand, wanted, loose);
      case Operand::Kind::immediate:
      case Operand::Kind::special:
        return {};
      case Operand::Kind::variable:
      case Operand::Kind::function:
        if (size_of(wanted) >= 4 && !is_float(wanted)) return {};
        return named("can't take an address here");
      case Operand::Kind::vector:
        return vector(operand, wanted, loose, true);
      case Operand::Kind::none:
        return instruction_.op == Opcode::st ? std::string() : named("can't read `_`");
      default:
        return named("can't take this operand");
    }
  }

  // `ld.v2` with a plain register.
  bool scalar_where_vector() const {
    return mod_.vector > 1 && instruction_.op == Opcode::ld &&
           instruction_.operands[0].kind == Operand::Kind::reg &&
           size_of(function_.registers[instruction_.operands[0].reg].type) < size_of(mod_.type) * mod_.vector;
  }

  std::string address(const Operand& operand) const {
    if (operand.reg == no_index) return {};
    const Register& base = function_.registers[operand.reg];
    const int size = size_of(base.type);
    if (base.type != Type::pred && !is_float(base.type) && (size == 4 || size == 8)) return {};
    return fmt::format("register {} is .{} and can't hold an address", base.name, name_of(base.type));
  }

  // Bits of a mov's side: a vector is the sum of its elements. 0: any.
  int side_bytes(const Operand& side) const {
    if (side.kind == Operand::Kind::reg) return size_of(function_.registers[side.reg].type);
    if (side.kind != Operand::Kind::vector) return 0;
    int sum = 0;
    for (const Operand& element : side.elements) {
      const int bytes = side_bytes(element);
      if (bytes == 0) return 0;
      sum += bytes;
    }
    return sum;
  }

  std::string mov() const {
    if (instruction_.operands.size() != 2) return counts("**");
    const Operand& to = instruction_.operands[0];
    const Operand& from = instruction_.operands[1];
    const bool packs = to.kind == Operand::Kind::vector || from.kind == Operand::Kind::vector;
    if (!packs) {
      std::string mistake = destination(to, mod_.type, false);
      return mistake.empty() ? source(from, mod_.type, false) : mistake;
    }
    for (const Operand* side : {&to, &from}) {
      const int bytes = side_bytes(*side);
      if (bytes != 0 && bytes != size_of(mod_.type) * mod_.vector) {
        return named(
            fmt::format("moves {} bytes, but an operand has {}", size_of(mod_.type) * mod_.vector, bytes));
      }
    }
    return elements_are_registers(to) ? std::string() : named("needs registers to write to");
  }

  static bool elements_are_registers(const Operand& to) {
    if (to.kind == Operand::Kind::none) return true;
    if (to.kind == Operand::Kind::reg) return !to.negated;
    if (to.kind != Operand::Kind::vector) return false;
    for (const Operand& element : to.elements) {
      if (element.kind != Operand::Kind::reg && element.kind != Operand::Kind::none) return false;
    }
    return true;
  }

  std::string call() const {
    const Operand& target = instruction_.operands[0];
    std::size_t params = 0, returns = 0;
    if (target.kind == Operand::Kind::function) {
      params = module_.functions[target.index].params.size();
      returns = module_.functions[target.index].returns.size();
      // The function being read is out of the module meanwhile.
      if (module_.function_index.at(function_.name) == target.index) {
        params = function_.params.size();
        returns = function_.returns.size();
      }
    } else {
      std::string mistake = reg(target, Type::b64, false);
      if (!mistake.empty()) return mistake;
      const auto index = function_.prototypes[instruction_.operands[3].index];
      params = module_.prototypes[index].params.size();
      returns = module_.prototypes[index].returns.size();
    }
    if (instruction_.operands[1].elements.size() != returns) {
      return fmt::format("this call takes {} results, not {}", returns,
                         instruction_.operands[1].elements.size());
    }
    if (instruction_.operands[2].elements.size() != params) {
      return fmt::format("this call takes {} arguments, not {}", params,
                         instruction_.operands[2].elements.size());
    }
    for (const Operand& result : instruction_.operands[1].elements) {
      if (result.kind != Operand::Kind::variable && result.kind != Operand::Kind::reg) {
        return "a call's result must be a .param variable or a register";
      }
    }
    return {};
  }

  const Instruction& instruction_;
  const Modifiers& mod_;
  const Function& function_;
  const Module& module_;
};

}  // namespace

std::string find_mistake(const Instruction& instruction, const Function& function, const Module& module) {
  return Checker(instruction, function, module).run();
}

}  // namespace workbook::ptx
