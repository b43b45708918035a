// Operands: registers, literals, names, vectors and addresses.
#include <fmt/format.h>

#include <bit>

#include "ptx/function_parser.h"
#include "ptx/modifiers.h"
#include "ptx/special.h"

namespace workbook::ptx {

namespace {
constexpr int deepest = 4;
}

Operand FunctionParser::operand(Type type, int depth) {
  if (depth > deepest) lex_.fail("operands are nested too deeply");
  const Token& token = lex_.peek();
  switch (token.kind) {
    case Token::Kind::integer:
    case Token::Kind::single:
    case Token::Kind::double_:
      return literal(type);
    case Token::Kind::word: {
      Operand made = named(token);
      lex_.next();
      if (made.kind == Operand::Kind::variable && (lex_.at('+') || lex_.at('-'))) made.offset = offset();
      return made;
    }
    case Token::Kind::punct:
      break;
    default:
      lex_.fail(fmt::format("expected an operand instead of {}", describe(token)));
  }
  switch (token.punct) {
    case '-':
      return literal(type);
    case '{':
      return vector(type, depth);
    case '[':
      return address(depth);
    case '!': {
      lex_.next();
      Operand made = operand(type, depth + 1);
      if (made.kind != Operand::Kind::reg) lex_.fail("`!` needs a predicate register");
      made.negated = !made.negated;
      return made;
    }
    default:
      lex_.fail(fmt::format("expected an operand instead of {}", describe(token)));
  }
}

Operand FunctionParser::vector(Type type, int depth) {
  Operand made;
  made.kind = Operand::Kind::vector;
  lex_.expect('{');
  do {
    made.elements.push_back(operand(type, depth + 1));
  } while (lex_.accept(','));
  lex_.expect('}');
  return made;
}

// `[base]`, `[base+8]`, `[base+-8]`, `[16]`; `[base, {x, y}]` is a vector of both.
Operand FunctionParser::address(int depth) {
  Operand made;
  made.kind = Operand::Kind::address;
  lex_.expect('[');
  if (lex_.at_word()) {
    const Token name = lex_.peek();
    const Operand base = named(name);
    if (base.kind != Operand::Kind::reg && base.kind != Operand::Kind::variable) {
      lex_.fail(fmt::format("`{}` can't be an address", name.text));
    }
    made.reg = base.reg;
    made.index = base.index;
    made.home = base.home;
    lex_.next();
    if (lex_.at('+') || lex_.at('-')) made.offset = offset();
  } else {
    if (lex_.at(']')) lex_.fail("the address is missing");
    made.offset = offset();
  }
  if (lex_.at(',')) {
    Operand tuple;
    tuple.kind = Operand::Kind::vector;
    tuple.elements.push_back(std::move(made));
    while (lex_.accept(',')) tuple.elements.push_back(operand(Type::b32, depth + 1));
    made = std::move(tuple);
  }
  lex_.expect(']');
  return made;
}

// `+8`, `-8`, `+-8`, `8`.
std::int64_t FunctionParser::offset() {
  lex_.accept('+');
  bool minus = false;
  while (lex_.accept('-')) minus = !minus;
  if (lex_.peek().kind != Token::Kind::integer) {
    lex_.fail(fmt::format("expected a number of bytes instead of {}", describe(lex_.peek())));
  }
  const std::uint64_t value = lex_.next().bits;
  return static_cast<std::int64_t>(minus ? 0 - value : value);
}

Operand FunctionParser::literal(Type type) {
  bool minus = false;
  while (lex_.accept('-')) minus = !minus;
  const Token number = lex_.next();
  Operand made;
  made.kind = Operand::Kind::immediate;
  if (number.kind == Token::Kind::integer) {
    if (type == Type::f32 || type == Type::f64) {
      lex_.fail_at(number,
                   fmt::format("a .{} literal is written as a floating-point number, such as {}",
                               name_of(type), type == Type::f32 ? "0f3F800000" : "0d3FF0000000000000"));
    }
    made.bits = minus ? 0 - number.bits : number.bits;
    return made;
  }
  const bool single = number.kind == Token::Kind::single;
  if (!single && number.kind != Token::Kind::double_) {
    lex_.fail_at(number, fmt::format("expected a number instead of {}", describe(number)));
  }
  const int size = size_of(type);
  if (size == 1 || size == 2) {
    lex_.fail_at(number, fmt::format("a floating-point literal does not fit .{}", name_of(type)));
  }
  const bool wide = size == 8;
  made.bits = number.bits;
  if (single && wide) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(number.bits));
    made.bits = std::bit_cast<std::uint64_t>(static_cast<double>(value));
  } else if (!single && !wide) {
    made.bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(number.bits)));
  }
  if (minus) made.bits ^= std::uint64_t{1} << (wide ? 63 : 31);
  return made;
}

Operand FunctionParser::named(const Token& name) {
  Operand made;
  if (name.kind != Token::Kind::word) {
    lex_.fail_at(name, fmt::format("expected a name instead of {}", describe(name)));
  }
  if (name.text == "_") return made;
  if (const Symbol* symbol = scopes_.find(name.text)) {
    if (symbol->kind == Symbol::Kind::reg) {
      made.kind = Operand::Kind::reg;
      made.reg = symbol->index;
      return made;
    }
    if (symbol->kind == Symbol::Kind::variable) {
      made.kind = Operand::Kind::variable;
      made.index = symbol->index;
      made.home = symbol->home;
      return made;
    }
    lex_.fail_at(name, fmt::format("`{}` can't be an operand here", name.text));
  }
  if (const auto special = find_special(name.text)) {
    made.kind = Operand::Kind::special;
    made.special = special->special;
    made.index = special->number;
    return made;
  }
  if (name.text == "WARP_SZ") {
    made.kind = Operand::Kind::immediate;
    made.bits = 32;
    return made;
  }
  const std::string key(name.text);
  if (const auto variable = module_.variable_index.find(key); variable != module_.variable_index.end()) {
    made.kind = Operand::Kind::variable;
    made.index = variable->second;
    return made;
  }
  if (const auto function = module_.function_index.find(key); function != module_.function_index.end()) {
    made.kind = Operand::Kind::function;
    made.index = function->second;
    return made;
  }
  lex_.fail_at(name, fmt::format("`{}` is not declared", name.text));
}

}  // namespace workbook::ptx
