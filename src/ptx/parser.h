// The module level of PTX: version and target, files, variables, function headers. Bodies go to
// FunctionParser.
#pragma once

#include <string_view>

#include "ptx/ir.h"
#include "ptx/lexer.h"

namespace workbook::ptx {

class Parser {
 public:
  explicit Parser(std::string_view text) : lex_(text) {}
  Module run();  // throws Error

 private:
  void statement();
  void version();
  void target();
  void file();
  void section();
  void alias();
  void linkage();
  void variables(Space space, bool is_extern);
  void function(bool is_kernel);
  void performance_directives(Function& function);
  void body(Function& function);
  std::uint32_t add(Function function, const Token& name);

  Lexer lex_;
  Module module_;
};

}  // namespace workbook::ptx
