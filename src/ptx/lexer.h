// PTX text into tokens. Words are generous: a dotted instruction (`ld.global.v2.f32`), a directive (`.reg`),
// a register (`%tid.x`) and a name (`$L__BB0_1`) are each one token, because the parser knows from the place
// what a word must be. Comments and `#line` marks are skipped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/reader.h"

namespace workbook::ptx {

struct Token {
  enum class Kind : std::uint8_t { end, word, integer, single, double_, string, punct };
  Kind kind = Kind::end;
  char punct = 0;          // the character, for Kind::punct
  std::uint32_t line = 1;  // from 1
  std::string_view text;   // as written; strings without their quotes
  std::uint64_t bits = 0;  // integer: the value; single and double_: the IEEE pattern
};

class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& peek() const { return token_; }
  Token next();  // returns the current token and reads on
  bool at(char punct) const { return token_.kind == Token::Kind::punct && token_.punct == punct; }
  bool at_word() const { return token_.kind == Token::Kind::word; }
  bool at_word(std::string_view word) const { return at_word() && token_.text == word; }
  bool accept(char punct);
  bool accept(std::string_view word);
  void expect(char punct);  // throws Error
  std::string_view expect_word(const char* what);

  // From an open brace (the current token) to behind its partner; what is between need not make sense.
  void skip_braces();

  // A place to come back to.
  struct Mark {
    std::size_t at;
    std::uint32_t line;
    Token token;
  };
  Mark mark() const { return {at_, line_, token_}; }
  void back_to(const Mark& mark);

  [[noreturn]] void fail(const std::string& message) const { fail_at(token_, message); }
  [[noreturn]] void fail_at(const Token& token, const std::string& message) const;

 private:
  void advance();
  void skip_blanks();
  void skip_block_comment();
  void read_word();
  void read_number();
  void read_string();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  bool skipping_ = false;
  Token token_;
};

// How a token reads in a message: the word in quotes, or "the end of the text".
std::string describe(const Token& token);

}  // namespace workbook::ptx
