#include "ptx/declarations.h"

#include <fmt/format.h>

#include "ptx/initializer.h"
#include "ptx/modifiers.h"

namespace workbook::ptx {

namespace {

constexpr std::uint64_t largest_variable = std::uint64_t{1} << 40;

struct Shape {
  Type type = Type::none;
  std::uint32_t align = 0;
  std::uint32_t vector = 1;
  std::uint32_t alignment() const {
    return align != 0 ? align : static_cast<std::uint32_t>(size_of(type)) * vector;
  }
};

void skip_parentheses(Lexer& lex) {
  const Token open = lex.peek();
  lex.expect('(');
  for (int depth = 1; depth > 0; lex.next()) {
    if (lex.peek().kind == Token::Kind::end) lex.fail_at(open, "this parenthesis is never closed");
    if (lex.at('(')) ++depth;
    if (lex.at(')')) --depth;
  }
}

std::uint32_t parse_alignment(Lexer& lex) {
  const Token at = lex.peek();
  const std::uint64_t align = parse_number(lex, "the alignment", 1u << 20);
  if (align == 0 || (align & (align - 1)) != 0) lex.fail_at(at, "an alignment must be a power of two");
  return static_cast<std::uint32_t>(align);
}

// `.align 8 .attribute(.managed) .v2 .f32 .ptr .global .align 4`, in any order, up to the name.
Shape parse_shape(Lexer& lex) {
  Shape shape;
  bool pointer = false;
  while (lex.at_word() && lex.peek().text.starts_with('.')) {
    if (lex.accept(".align")) {
      const std::uint32_t align = parse_alignment(lex);
      if (!pointer) shape.align = align;  // behind .ptr it is about what the pointer points to
    } else if (lex.accept(".attribute")) {
      skip_parentheses(lex);
    } else if (lex.accept(".v2")) {
      shape.vector = 2;
    } else if (lex.accept(".v4")) {
      shape.vector = 4;
    } else if (lex.accept(".ptr")) {
      pointer = true;
    } else if (pointer && find_variable_space(lex.peek().text)) {
      lex.next();
    } else {
      shape.type = parse_type(lex);
    }
  }
  if (shape.type == Type::none) lex.fail(fmt::format("expected a type before {}", describe(lex.peek())));
  if (shape.type == Type::pred) lex.fail("predicates live in registers only");
  return shape;
}

// `[2][3]`, the first may be empty. Returns whether there were brackets; `count` becomes the product.
bool parse_dimensions(Lexer& lex, std::uint64_t element_size, std::uint64_t& count, bool& open_ended) {
  bool any = false;
  while (lex.accept('[')) {
    if (!any && lex.accept(']')) {
      open_ended = true;
    } else {
      const std::uint64_t length = parse_number(lex, "the array length", largest_variable);
      if (length != 0 && count > largest_variable / length / element_size)
        lex.fail("this array is too large");
      count *= length;
      lex.expect(']');
    }
    any = true;
  }
  return any;
}

Variable parse_variable(Lexer& lex, const Module& module, Space space, const Shape& shape, bool is_extern) {
  Variable variable;
  variable.name = lex.expect_word("a variable's name");
  variable.space = space;
  variable.type = shape.type;
  variable.align = shape.alignment();
  variable.is_extern = is_extern;
  const std::uint64_t element = static_cast<std::uint64_t>(size_of(shape.type)) * shape.vector;
  std::uint64_t count = 1;
  bool open_ended = false;
  parse_dimensions(lex, element, count, open_ended);
  variable.size = open_ended ? 0 : count * element;
  if (!lex.at('=')) {
    if (open_ended && !is_extern)
      lex.fail(fmt::format("`{}` needs a length or an initial value", variable.name));
    return variable;
  }
  const Token equals = lex.next();
  if (space != Space::global && space != Space::constant) {
    lex.fail_at(equals, "only .global and .const variables can have an initial value");
  }
  parse_initial_value(lex, module, variable, open_ended);
  return variable;
}

Parameter parse_parameter(Lexer& lex, std::uint64_t& offset) {
  if (lex.at_word(".reg")) lex.fail("parameters in registers are not supported; use .param");
  if (!lex.accept(".param")) lex.fail(fmt::format("expected `.param` before {}", describe(lex.peek())));
  const Shape shape = parse_shape(lex);
  Parameter parameter;
  parameter.type = shape.type;
  parameter.align = shape.alignment();
  parameter.name = lex.expect_word("a parameter's name");
  const std::uint64_t element = static_cast<std::uint64_t>(size_of(shape.type)) * shape.vector;
  std::uint64_t count = 1;
  bool open_ended = false;
  if (parse_dimensions(lex, element, count, open_ended)) parameter.type = Type::b8;
  parameter.size = open_ended ? 0 : count * element;
  offset = (offset + parameter.align - 1) / parameter.align * parameter.align;
  parameter.offset = offset;
  offset += parameter.size;
  return parameter;
}

}  // namespace

std::optional<Space> find_variable_space(std::string_view word) {
  if (word == ".global") return Space::global;
  if (word == ".shared") return Space::shared;
  if (word == ".local") return Space::local;
  if (word == ".const") return Space::constant;
  if (word == ".param") return Space::param;
  return {};
}

std::uint64_t parse_number(Lexer& lex, const char* what, std::uint64_t limit) {
  if (lex.peek().kind != Token::Kind::integer) {
    lex.fail(fmt::format("expected {} instead of {}", what, describe(lex.peek())));
  }
  if (lex.peek().bits > limit) lex.fail(fmt::format("{} must not be greater than {}", what, limit));
  return lex.next().bits;
}

Type parse_type(Lexer& lex) {
  if (lex.at_word() && lex.peek().text.starts_with('.')) {
    if (const auto type = find_type(lex.peek().text.substr(1))) {
      lex.next();
      return *type;
    }
  }
  lex.fail(fmt::format("{} is not a type that can be declared", describe(lex.peek())));
}

std::vector<DeclaredVariable> parse_variables(Lexer& lex, const Module& module, Space space, bool is_extern) {
  const Shape shape = parse_shape(lex);
  std::vector<DeclaredVariable> variables;
  do {
    const Token name = lex.peek();
    variables.push_back({name, parse_variable(lex, module, space, shape, is_extern)});
  } while (lex.accept(','));
  lex.expect(';');
  return variables;
}

std::vector<Parameter> parse_parameters(Lexer& lex) {
  std::vector<Parameter> parameters;
  lex.expect('(');
  if (lex.accept(')')) return parameters;
  std::uint64_t offset = 0;
  do {
    parameters.push_back(parse_parameter(lex, offset));
  } while (lex.accept(','));
  lex.expect(')');
  return parameters;
}

Prototype parse_prototype(Lexer& lex) {
  Prototype prototype;
  if (lex.at('(')) prototype.returns = parse_parameters(lex);
  lex.expect_word("`_`");
  if (lex.at('(')) prototype.params = parse_parameters(lex);
  while (lex.at_word() && lex.peek().text.starts_with('.')) {  // .noreturn, .abi_preserve 3
    lex.next();
    if (lex.peek().kind == Token::Kind::integer) lex.next();
  }
  return prototype;
}

}  // namespace workbook::ptx
