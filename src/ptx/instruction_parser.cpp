// Instructions: guard, opcode, modifiers, and the operand lists that have a shape of their own.
#include <fmt/format.h>

#include "ptx/function_parser.h"
#include "ptx/modifiers.h"
#include "ptx/verifier.h"

namespace workbook::ptx {

namespace {

// The type that a literal at this place has.
Type type_of_place(const Instruction& instruction) {
  const Modifiers& mod = instruction.mod;
  const std::size_t index = instruction.operands.size();
  switch (instruction.op) {
    case Opcode::cvt:
    case Opcode::set:
      return index == 0 ? mod.type : mod.source_type;
    case Opcode::slct:
      return index == 3 ? mod.source_type : mod.type;
    case Opcode::shl:
    case Opcode::shr:
      return index == 2 ? Type::b32 : mod.type;
    case Opcode::ld:
    case Opcode::ldu:
      return Type::b64;
    case Opcode::mma:
    case Opcode::wmma:
      return Type::b32;
    default:
      return mod.type;
  }
}

}  // namespace

// `@p bra L;` or `@!p ...`
void FunctionParser::guarded() {
  lex_.expect('@');
  const bool negated = lex_.accept('!');
  const Token name = lex_.peek();
  lex_.expect_word("a predicate");
  const Symbol* symbol = scopes_.find(name.text);
  if (symbol == nullptr) lex_.fail_at(name, fmt::format("`{}` is not declared", name.text));
  if (symbol->kind != Symbol::Kind::reg || function_.registers[symbol->index].type != Type::pred) {
    lex_.fail_at(name, fmt::format("`{}` is not a predicate register", name.text));
  }
  const std::uint32_t guard = symbol->index;
  const Token word = lex_.peek();
  lex_.expect_word("an instruction");
  instruction(word, guard, negated);
}

void FunctionParser::instruction(const Token& word, std::uint32_t guard, bool negated) {
  std::size_t length = 0;
  const auto op = find_opcode(word.text, length);
  if (!op) {
    lex_.fail_at(word, fmt::format("the instruction `{}` is not supported", word.text.substr(0, length)));
  }
  Instruction made;
  made.op = *op;
  made.guard = guard;
  made.guard_negated = negated;
  made.at = at_;
  made.inlined_at = inlined_at_;
  made.ptx_line = word.line;
  const std::string_view bad = apply_modifiers(*op, word.text.substr(length), made.mod);
  if (!bad.empty()) {
    lex_.fail_at(word, fmt::format("`{}` with `{}` is not supported", name_of(*op), bad));
  }
  switch (*op) {
    case Opcode::bra:
    case Opcode::brx_idx:
      branch_operands(made);
      break;
    case Opcode::call:
      call_operands(made);
      break;
    default:
      plain_operands(made);
      break;
  }
  lex_.expect(';');
  finish(made, word);
}

void FunctionParser::plain_operands(Instruction& instruction) {
  if (lex_.at(';')) return;
  do {
    instruction.operands.push_back(operand(type_of_place(instruction), 0));
    if (instruction.operands.size() == 1 && lex_.accept('|')) {
      instruction.mod.pair = true;
      instruction.operands.push_back(operand(Type::pred, 0));
    }
    if (instruction.operands.size() > 16) lex_.fail("no instruction has so many operands");
  } while (lex_.accept(','));
}

void FunctionParser::branch_operands(Instruction& instruction) {
  if (instruction.op == Opcode::brx_idx) {
    instruction.operands.push_back(operand(Type::u32, 0));
    lex_.expect(',');
    instruction.operands.push_back(list_operand(Symbol::Kind::target_list));
    return;
  }
  const Token label = lex_.peek();
  lex_.expect_word("a label");
  Operand& target = instruction.operands.emplace_back();
  target.kind = Operand::Kind::label;
  scopes_.use_label({label, static_cast<std::uint32_t>(function_.body.size()), 0, false});
}

// `call.uni (ret), f, (a, b), prototype;` where all but f may be missing.
void FunctionParser::call_operands(Instruction& instruction) {
  Operand target, returns, arguments;
  returns.kind = arguments.kind = Operand::Kind::vector;
  if (lex_.at('(')) {
    returns = call_list();
    lex_.expect(',');
  }
  target = named(lex_.peek());
  lex_.next();
  const bool is_direct = target.kind == Operand::Kind::function;
  if (!is_direct && target.kind != Operand::Kind::reg) lex_.fail("a call needs a function or a register");
  bool prototype = false;
  Operand list;
  if (lex_.accept(',')) {
    if (lex_.at('(')) {
      arguments = call_list();
      prototype = lex_.accept(',');
    } else {
      prototype = true;
    }
    if (prototype) list = list_operand(Symbol::Kind::prototype);
  }
  if (prototype == is_direct) {
    lex_.fail(is_direct ? "a direct call has no prototype" : "an indirect call needs a prototype");
  }
  instruction.operands = {std::move(target), std::move(returns), std::move(arguments)};
  if (prototype) instruction.operands.push_back(std::move(list));
}

Operand FunctionParser::call_list() {
  Operand list;
  list.kind = Operand::Kind::vector;
  lex_.expect('(');
  if (lex_.accept(')')) return list;
  do {
    list.elements.push_back(operand(Type::b32, 1));
  } while (lex_.accept(','));
  lex_.expect(')');
  return list;
}

Operand FunctionParser::list_operand(Symbol::Kind kind) {
  const Token name = lex_.peek();
  lex_.expect_word(kind == Symbol::Kind::prototype ? "a prototype" : "a list of branch targets");
  const Symbol* symbol = scopes_.find(name.text);
  if (symbol == nullptr || symbol->kind != kind) {
    lex_.fail_at(name,
                 fmt::format("`{}` is not {}", name.text,
                             kind == Symbol::Kind::prototype ? "a prototype" : "a list of branch targets"));
  }
  Operand list;
  list.kind = Operand::Kind::target_list;
  list.index = symbol->index;
  return list;
}

void FunctionParser::finish(Instruction& instruction, const Token& word) {
  const std::string mistake = find_mistake(instruction, function_, module_);
  if (!mistake.empty()) lex_.fail_at(word, mistake);
  function_.body.push_back(std::move(instruction));
}

}  // namespace workbook::ptx
