// The body of one function: declarations, scopes, labels, `.loc`, instructions. Every instruction is checked
// as soon as it is read, so that an error can point at it.
#pragma once

#include <unordered_map>

#include "ptx/ir.h"
#include "ptx/lexer.h"
#include "ptx/scope.h"

namespace workbook::ptx {

class FunctionParser {
 public:
  FunctionParser(Lexer& lex, Module& module, Function& function)
      : lex_(lex), module_(module), function_(function) {}
  void run();  // from `{` to behind its `}`; throws Error

 private:
  // function_parser.cpp
  void declare_parameters();
  void statement();
  void directive();
  void registers();
  void one_register(Type type);
  void variables(Space space);
  void loc();
  SourcePosition position();
  void labelled(const Token& name);
  void branch_targets(const Token& name);
  void call_prototype(const Token& name);
  void close_scope();
  void declare(const Token& name, Symbol symbol);

  // instruction_parser.cpp
  void guarded();
  void instruction(const Token& word, std::uint32_t guard, bool negated);
  void plain_operands(Instruction& instruction);
  void branch_operands(Instruction& instruction);
  void call_operands(Instruction& instruction);
  Operand call_list();
  Operand list_operand(Symbol::Kind kind);
  void finish(Instruction& instruction, const Token& word);

  // operand_parser.cpp
  Operand operand(Type type, int depth);
  Operand vector(Type type, int depth);
  Operand address(int depth);
  Operand literal(Type type);
  Operand named(const Token& name);
  std::int64_t offset();

  Lexer& lex_;
  Module& module_;
  Function& function_;
  Scopes scopes_;
  SourcePosition at_;
  SourcePosition inlined_at_;
  std::unordered_map<std::uint64_t, SourcePosition> outer_calls_;  // of an inlined call, where it was inlined
};

}  // namespace workbook::ptx
