#include "ptx/parser.h"

#include <fmt/format.h>

#include "ptx/declarations.h"
#include "ptx/function_parser.h"

namespace workbook::ptx {

Module Parser::run() {
  module_.files.emplace_back();
  if (!lex_.at_word(".version")) lex_.fail("this is not PTX: it must begin with `.version`");
  while (lex_.peek().kind != Token::Kind::end) statement();
  if (module_.target.empty()) lex_.fail("there is no `.target`");
  return std::move(module_);
}

void Parser::statement() {
  if (lex_.accept(';')) return;
  if (!lex_.at_word()) lex_.fail(fmt::format("expected a directive instead of {}", describe(lex_.peek())));
  if (lex_.accept(".version")) return version();
  if (lex_.accept(".target")) return target();
  if (lex_.accept(".address_size")) {
    if (parse_number(lex_, "the address size", 64) != 64) lex_.fail("only 64-bit PTX is supported");
    return;
  }
  if (lex_.accept(".file")) return file();
  if (lex_.accept(".section")) return section();
  if (lex_.accept(".alias")) return alias();
  if (lex_.accept(".pragma")) {
    while (!lex_.at(';') && lex_.peek().kind != Token::Kind::end) lex_.next();
    return lex_.expect(';');
  }
  linkage();
}

void Parser::version() {
  const Token number = lex_.next();
  if (number.kind != Token::Kind::double_ && number.kind != Token::Kind::integer) {
    lex_.fail_at(number, "expected a version such as 9.0");
  }
  module_.version = number.text;
}

void Parser::target() {
  module_.target = lex_.expect_word("an architecture such as sm_75");
  while (lex_.accept(',')) lex_.expect_word("a target option");
}

// `.file 1 "name" [, timestamp, size]`
void Parser::file() {
  const std::uint64_t number = parse_number(lex_, "the file number", 1u << 20);
  if (lex_.peek().kind != Token::Kind::string) lex_.fail("expected a file name in quotes");
  if (module_.files.size() <= number) module_.files.resize(number + 1);
  module_.files[number] = lex_.next().text;
  while (lex_.accept(',')) lex_.next();
}

// Debug information, which we don't use.
void Parser::section() {
  lex_.expect_word("a section's name");
  while (!lex_.at('{')) {
    if (lex_.peek().kind == Token::Kind::end) lex_.fail("this section has no contents");
    lex_.next();
  }
  lex_.skip_braces();
}

// `.alias name, function;`
void Parser::alias() {
  const Token name = lex_.peek();
  lex_.expect_word("the alias");
  lex_.expect(',');
  const Token function = lex_.peek();
  lex_.expect_word("the function");
  const auto found = module_.function_index.find(std::string(function.text));
  if (found == module_.function_index.end()) {
    lex_.fail_at(function, fmt::format("`{}` is not declared", function.text));
  }
  const std::uint32_t index = found->second;
  module_.function_index[std::string(name.text)] = index;
  lex_.expect(';');
}

void Parser::linkage() {
  bool is_extern = false;
  for (;;) {
    if (lex_.accept(".extern")) {
      is_extern = true;
    } else if (!lex_.accept(".visible") && !lex_.accept(".weak") && !lex_.accept(".common") &&
               !lex_.accept(".internal")) {
      break;
    }
  }
  if (lex_.accept(".entry")) return function(true);
  if (lex_.accept(".func")) return function(false);
  if (lex_.at_word()) {
    const auto space = find_variable_space(lex_.peek().text);
    if (space && *space != Space::param && *space != Space::local) {
      lex_.next();
      return variables(*space, is_extern);
    }
  }
  lex_.fail(fmt::format("{} is not a directive that can stand here", describe(lex_.peek())));
}

void Parser::variables(Space space, bool is_extern) {
  for (auto& [at, variable] : parse_variables(lex_, module_, space, is_extern)) {
    const auto next = static_cast<std::uint32_t>(module_.variables.size());
    const auto [entry, is_new] = module_.variable_index.emplace(variable.name, next);
    if (is_new) {
      module_.variables.push_back(std::move(variable));
      continue;
    }
    Variable& declared = module_.variables[entry->second];
    if (!declared.is_extern && !variable.is_extern) {
      lex_.fail_at(at, fmt::format("`{}` is declared a second time", variable.name));
    }
    if (declared.is_extern) {  // a definition follows its declaration
      for (Relocation& relocation : variable.relocations) {
        if (!relocation.is_function && relocation.index == next) relocation.index = entry->second;
      }
      declared = std::move(variable);
    }
  }
}

void Parser::function(bool is_kernel) {
  Function function;
  function.is_kernel = is_kernel;
  while (lex_.accept(".attribute")) {
    while (!lex_.accept(')')) {
      if (lex_.peek().kind == Token::Kind::end) lex_.fail("this attribute is never closed");
      lex_.next();
    }
  }
  if (!is_kernel && lex_.at('(')) function.returns = parse_parameters(lex_);
  const Token name = lex_.peek();
  function.name = lex_.expect_word("a function's name");
  function.line = name.line;
  if (lex_.at('(')) function.params = parse_parameters(lex_);
  performance_directives(function);
  function.has_body = lex_.at('{');
  if (!function.has_body) lex_.expect(';');
  const bool has_body = function.has_body;
  const std::uint32_t index = add(std::move(function), name);
  if (has_body) {
    Function taken = std::move(module_.functions[index]);
    body(taken);
    module_.functions[index] = std::move(taken);
  }
}

// A definition takes the place of its declaration, so that both have one index.
std::uint32_t Parser::add(Function function, const Token& name) {
  const auto next = static_cast<std::uint32_t>(module_.functions.size());
  const auto [entry, is_new] = module_.function_index.emplace(function.name, next);
  if (is_new) {
    module_.functions.push_back(std::move(function));
    return next;
  }
  Function& declared = module_.functions[entry->second];
  if (declared.name != function.name || (declared.has_body && function.has_body)) {
    lex_.fail_at(name, fmt::format("`{}` is defined a second time", function.name));
  }
  if (declared.params.size() != function.params.size() ||
      declared.returns.size() != function.returns.size() || declared.is_kernel != function.is_kernel) {
    lex_.fail_at(name, fmt::format("`{}` was declared differently in line {}", function.name, declared.line));
  }
  if (function.has_body) declared = std::move(function);
  return entry->second;
}

namespace {

// Up to three numbers with commas; the missing ones are 1.
std::array<std::uint32_t, 3> parse_extent(Lexer& lex) {
  std::array<std::uint32_t, 3> extent{1, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    extent[i] = static_cast<std::uint32_t>(parse_number(lex, "the number", 0x7fffffff));
    if (!lex.accept(',')) break;
  }
  return extent;
}

}  // namespace

void Parser::performance_directives(Function& function) {
  while (lex_.at_word() && lex_.peek().text.starts_with('.')) {
    if (lex_.accept(".maxntid")) {
      function.max_threads = parse_extent(lex_);
    } else if (lex_.accept(".reqntid")) {
      function.required_threads = parse_extent(lex_);
    } else if (lex_.accept(".minnctapersm")) {
      function.min_blocks = parse_extent(lex_)[0];
    } else if (lex_.accept(".noreturn")) {
      function.no_return = true;
    } else if (lex_.accept(".pragma")) {
      if (lex_.next().kind != Token::Kind::string) lex_.fail("expected a pragma in quotes");
      lex_.expect(';');
    } else if (lex_.accept(".maxnctapersm") || lex_.accept(".maxnreg") || lex_.accept(".local_maxnreg") ||
               lex_.accept(".abi_preserve") || lex_.accept(".abi_preserve_control") ||
               lex_.accept(".maxclusterrank") || lex_.accept(".reqnctapercluster")) {
      parse_extent(lex_);
    } else if (!lex_.accept(".explicitcluster") && !lex_.accept(".blocksareclusters")) {
      lex_.fail(fmt::format("{} is not a directive that can stand here", describe(lex_.peek())));
    }
  }
}

// A mistake in a body is kept for the one who runs it; the others of the module stay usable.
void Parser::body(Function& function) {
  const Lexer::Mark begin = lex_.mark();
  try {
    FunctionParser(lex_, module_, function).run();
    return;
  } catch (const Error& error) {
    function.unreadable =
        fmt::format("PTX line {}: {}: `{}`", error.line(), error.message(), error.source_line());
    function.unreadable_line = error.line();
  }
  function.body.clear();
  function.registers.clear();
  function.target_lists.clear();
  function.prototypes.clear();
  lex_.back_to(begin);
  lex_.skip_braces();
}

}  // namespace workbook::ptx
