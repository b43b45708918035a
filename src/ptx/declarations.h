// The parts of PTX that declare data: variables with their initial values, and parameter lists.
#pragma once

#include <vector>

#include "ptx/ir.h"
#include "ptx/lexer.h"

namespace workbook::ptx {

// ".global" -> Space::global; for state spaces in which a variable can be declared.
std::optional<Space> find_variable_space(std::string_view word);

struct DeclaredVariable {
  Token name;
  Variable variable;
};
// What follows the state space, up to and with the semicolon: `.align 4 .b8 a[16] = {...}, b;`
std::vector<DeclaredVariable> parse_variables(Lexer& lex, const Module& module, Space space, bool is_extern);

// `( .param .u64 a, .param .align 8 .b8 b[16] )`, the parentheses included.
std::vector<Parameter> parse_parameters(Lexer& lex);

// `.callprototype (returns) _ (params)`, from behind the word to before the semicolon.
Prototype parse_prototype(Lexer& lex);

// An unsigned number that must not be greater than `limit`; `what` names it in the message.
std::uint64_t parse_number(Lexer& lex, const char* what, std::uint64_t limit);

// A type word such as `.f32`.
Type parse_type(Lexer& lex);

}  // namespace workbook::ptx
