#include "ptx/function_parser.h"

#include <fmt/format.h>

#include "ptx/declarations.h"

namespace workbook::ptx {

namespace {

constexpr std::uint32_t most_registers = 1u << 20;

std::uint64_t key_of(const SourcePosition& at) {
  return (std::uint64_t{at.file} << 44) ^ (std::uint64_t{at.line} << 16) ^ at.column;
}

}  // namespace

void FunctionParser::run() {
  scopes_.open();
  declare_parameters();
  lex_.expect('{');
  scopes_.open();
  const Token open = lex_.peek();
  while (scopes_.depth() > 1) {
    if (lex_.peek().kind == Token::Kind::end) lex_.fail_at(open, "the body that begins here is never closed");
    if (lex_.accept('{')) {
      scopes_.open();
    } else if (lex_.at('}')) {
      close_scope();
      lex_.next();
    } else {
      statement();
    }
  }
}

void FunctionParser::declare_parameters() {
  for (std::uint32_t i = 0; i < function_.params.size(); ++i) {
    scopes_.declare(function_.params[i].name, {Symbol::Kind::variable, i, Home::params});
  }
  for (std::uint32_t i = 0; i < function_.returns.size(); ++i) {
    scopes_.declare(function_.returns[i].name, {Symbol::Kind::variable, i, Home::returns});
  }
}

void FunctionParser::close_scope() {
  const auto resolve = [this](const Scopes::Use& use, std::uint32_t instruction) {
    if (use.in_list) {
      function_.target_lists[use.index][use.entry] = instruction;
    } else {
      function_.body[use.index].operands[use.entry].index = instruction;
    }
  };
  scopes_.close(resolve);
  if (scopes_.depth() > 1) return;
  const auto open_uses = scopes_.close(resolve);
  if (!open_uses.empty()) {
    const Token& name = open_uses.front().name;
    lex_.fail_at(name, fmt::format("there is no label `{}` here", name.text));
  }
}

void FunctionParser::statement() {
  if (lex_.accept(';')) return;
  if (lex_.at('@')) return guarded();
  if (!lex_.at_word()) lex_.fail(fmt::format("expected an instruction instead of {}", describe(lex_.peek())));
  if (lex_.peek().text.front() == '.') return directive();
  const Token word = lex_.next();
  if (lex_.accept(':')) return labelled(word);
  instruction(word, no_index, false);
}

void FunctionParser::directive() {
  if (lex_.accept(".loc")) return loc();
  if (lex_.accept(".reg")) return registers();
  if (lex_.accept(".pragma")) {
    do {
      if (lex_.next().kind != Token::Kind::string) lex_.fail("expected a pragma in quotes");
    } while (lex_.accept(','));
    return lex_.expect(';');
  }
  if (const auto space = find_variable_space(lex_.peek().text)) {
    lex_.next();
    return variables(*space);
  }
  lex_.fail(fmt::format("{} is not a directive that can stand here", describe(lex_.peek())));
}

void FunctionParser::declare(const Token& name, Symbol symbol) {
  if (!scopes_.declare(name.text, symbol)) {
    lex_.fail_at(name, fmt::format("`{}` is declared a second time in this scope", name.text));
  }
}

// `.reg .b32 %r<6>, %a;`
void FunctionParser::registers() {
  const Type type = parse_type(lex_);
  if (size_of(type) < 2 && type != Type::pred) lex_.fail("a register has at least 16 bits");
  do {
    one_register(type);
  } while (lex_.accept(','));
  lex_.expect(';');
}

void FunctionParser::one_register(Type type) {
  const Token name = lex_.peek();
  lex_.expect_word("a register's name");
  const auto first = static_cast<std::uint32_t>(function_.registers.size());
  if (!lex_.accept('<')) {
    declare(name, {Symbol::Kind::reg, first, Home::function});
    function_.registers.push_back({std::string(name.text), type});
    return;
  }
  const auto count =
      static_cast<std::uint32_t>(parse_number(lex_, "the number of registers", most_registers));
  lex_.expect('>');
  if (first + count > most_registers) lex_.fail_at(name, "a function can't have so many registers");
  if (!scopes_.declare_range(name.text, count, first)) {
    lex_.fail_at(name, fmt::format("`{}` is declared a second time in this scope", name.text));
  }
  function_.registers.reserve(first + count);
  for (std::uint32_t i = 0; i < count; ++i) {
    function_.registers.push_back({fmt::format("{}{}", name.text, i), type});
  }
}

void FunctionParser::variables(Space space) {
  for (DeclaredVariable& declared : parse_variables(lex_, module_, space, false)) {
    const auto index = static_cast<std::uint32_t>(function_.variables.size());
    function_.variables.push_back(std::move(declared.variable));
    declare(declared.name, {Symbol::Kind::variable, index, Home::function});
  }
}

SourcePosition FunctionParser::position() {
  constexpr std::uint64_t limit = 0xffffffff;
  SourcePosition at;
  at.file = static_cast<std::uint32_t>(parse_number(lex_, "the file number", limit));
  at.line = static_cast<std::uint32_t>(parse_number(lex_, "the line", limit));
  at.column = static_cast<std::uint32_t>(parse_number(lex_, "the column", limit));
  return at;
}

// `.loc 1 12 5`, perhaps with `, function_name label+offset, inlined_at 1 20 3`.
void FunctionParser::loc() {
  at_ = position();
  inlined_at_ = {};
  while (lex_.accept(',')) {
    if (lex_.accept("function_name")) {
      lex_.expect_word("the label of a name");
      if (lex_.accept('+')) parse_number(lex_, "the offset", ~std::uint64_t{0});
    } else if (lex_.accept("inlined_at")) {
      inlined_at_ = position();
    } else {
      lex_.fail(fmt::format("expected `inlined_at` instead of {}", describe(lex_.peek())));
    }
  }
  if (inlined_at_.file == 0) {
    outer_calls_.erase(key_of(at_));
    return;
  }
  outer_calls_[key_of(at_)] = inlined_at_;
  for (int depth = 0; depth < 32; ++depth) {  // out to the function that is really there
    const auto outer = outer_calls_.find(key_of(inlined_at_));
    if (outer == outer_calls_.end()) break;
    inlined_at_ = outer->second;
  }
}

void FunctionParser::labelled(const Token& name) {
  if (lex_.accept(".branchtargets")) return branch_targets(name);
  if (lex_.accept(".callprototype")) return call_prototype(name);
  if (lex_.at_word(".calltargets")) lex_.fail("`.calltargets` is not supported; use `.callprototype`");
  if (!scopes_.define_label(name.text, static_cast<std::uint32_t>(function_.body.size()))) {
    lex_.fail_at(name, fmt::format("the label `{}` is there a second time", name.text));
  }
}

void FunctionParser::branch_targets(const Token& name) {
  const auto list = static_cast<std::uint32_t>(function_.target_lists.size());
  function_.target_lists.emplace_back();
  declare(name, {Symbol::Kind::target_list, list, Home::function});
  do {
    const Token label = lex_.peek();
    lex_.expect_word("a label");
    const auto entry = static_cast<std::uint32_t>(function_.target_lists[list].size());
    function_.target_lists[list].push_back(no_index);
    scopes_.use_label({label, list, entry, true});
  } while (lex_.accept(','));
  lex_.expect(';');
}

void FunctionParser::call_prototype(const Token& name) {
  const auto index = static_cast<std::uint32_t>(function_.prototypes.size());
  declare(name, {Symbol::Kind::prototype, index, Home::function});
  function_.prototypes.push_back(static_cast<std::uint32_t>(module_.prototypes.size()));
  module_.prototypes.push_back(parse_prototype(lex_));
  lex_.expect(';');
}

}  // namespace workbook::ptx
