#include "ptx/lexer.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>

#include "base/caret.h"

namespace workbook::ptx {

namespace {

enum : std::uint8_t { starts_word = 1, in_word = 2, digit = 4, blank = 8 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = starts_word | in_word;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = starts_word | in_word;
  for (int c = '0'; c <= '9'; ++c) classes[c] = digit | in_word;
  for (char c : {'_', '$', '%', '.'}) classes[static_cast<unsigned char>(c)] = starts_word | in_word;
  for (int c = 0x80; c < 0x100; ++c) classes[c] = starts_word | in_word;  // UTF-8 in names
  for (char c : {' ', '\t', '\r', '\f', '\v'}) classes[static_cast<unsigned char>(c)] = blank;
  return classes;
}

constexpr auto classes = make_classes();

std::uint8_t class_of(char c) {
  return classes[static_cast<unsigned char>(c)];
}

// 0f3F800000 and 0d3FF0000000000000: exactly 8 or 16 hexadecimal digits.
bool is_float_literal(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return false;
  const char mark = text[1];
  return ((mark == 'f' || mark == 'F') && text.size() == 10) ||
         ((mark == 'd' || mark == 'D') && text.size() == 18);
}

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text.substr(0, text.find('\0'))) {
  advance();
}

Token Lexer::next() {
  Token token = token_;
  advance();
  return token;
}

bool Lexer::accept(char punct) {
  if (!at(punct)) return false;
  advance();
  return true;
}

bool Lexer::accept(std::string_view word) {
  if (!at_word(word)) return false;
  advance();
  return true;
}

void Lexer::expect(char punct) {
  if (!accept(punct)) fail(fmt::format("expected `{}` before {}", punct, describe(token_)));
}

std::string_view Lexer::expect_word(const char* what) {
  if (!at_word()) fail(fmt::format("expected {} instead of {}", what, describe(token_)));
  return next().text;
}

void Lexer::skip_braces() {
  const Token open = token_;
  skipping_ = true;
  int depth = 0;
  for (;;) {
    if (token_.kind == Token::Kind::end) fail_at(open, "this brace is never closed");
    if (at('{')) ++depth;
    if (at('}') && --depth == 0) break;
    advance();
  }
  skipping_ = false;
  advance();
}

void Lexer::back_to(const Mark& mark) {
  at_ = mark.at;
  line_ = mark.line;
  token_ = mark.token;
}

void Lexer::fail_at(const Token& token, const std::string& message) const {
  const std::size_t offset = static_cast<std::size_t>(token.text.data() - text_.data());
  const std::string_view line = base::line_at(text_, offset);
  const auto column = static_cast<std::uint32_t>(text_.data() + offset - line.data()) + 1;
  throw Error(message, token.line, column, line);
}

void Lexer::advance() {
  skip_blanks();
  token_.line = line_;
  token_.punct = 0;
  if (at_ >= text_.size()) {
    token_.kind = Token::Kind::end;
    token_.text = text_.substr(text_.size());
    return;
  }
  const char c = text_[at_];
  if (class_of(c) & starts_word) return read_word();
  if (class_of(c) & digit) return read_number();
  if (c == '"') return read_string();
  token_.kind = Token::Kind::punct;
  token_.punct = c;
  token_.text = text_.substr(at_++, 1);
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
    } else if (class_of(c) & blank) {
      ++at_;
    } else if (text_.substr(at_, 2) == "//" || c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (text_.substr(at_, 2) == "/*") {
      skip_block_comment();
    } else {
      return;
    }
  }
}

void Lexer::skip_block_comment() {
  const std::size_t end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos) {
    token_.line = line_;
    token_.text = text_.substr(at_, 2);
    fail("this comment is never closed");
  }
  for (; at_ < end + 2; ++at_) {
    if (text_[at_] == '\n') ++line_;
  }
}

void Lexer::read_word() {
  std::size_t end = at_ + 1;
  const bool is_directive = text_[at_] == '.';  // `.reg.b32` is two of them
  while (end < text_.size()) {
    if (is_directive && text_[end] == '.') break;
    if (class_of(text_[end]) & in_word) {
      ++end;
    } else if (text_.substr(end, 2) == "::" && end + 2 < text_.size() &&
               (class_of(text_[end + 2]) & in_word)) {
      end += 2;  // `.shared::cluster`
    } else {
      break;
    }
  }
  token_.kind = Token::Kind::word;
  token_.text = text_.substr(at_, end - at_);
  at_ = end;
}

void Lexer::read_number() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && (class_of(text_[end]) & in_word) && text_[end] != '$' && text_[end] != '%') {
    const char c = text_[end++];
    const bool exponent =
        (c == 'e' || c == 'E') && end < text_.size() && (text_[end] == '-' || text_[end] == '+');
    if (exponent && text_.substr(at_, 2) != "0x" &&
        text_.substr(at_, end - at_).find('.') != std::string_view::npos) {
      ++end;
    }
  }
  token_.text = text_.substr(at_, end - at_);
  token_.kind = Token::Kind::integer;
  at_ = end;
  if (skipping_) return;
  std::string_view digits = token_.text;
  const auto number = [this](std::string_view from, int base) {
    const auto [stop, error] = std::from_chars(from.data(), from.data() + from.size(), token_.bits, base);
    if (error == std::errc::result_out_of_range)
      fail(fmt::format("the number {} does not fit 64 bits", token_.text));
    if (error != std::errc() || stop != from.data() + from.size()) {
      fail(fmt::format("`{}` is not a number", token_.text));
    }
  };
  if (is_float_literal(digits)) {
    token_.kind = digits.size() == 10 ? Token::Kind::single : Token::Kind::double_;
    return number(digits.substr(2), 16);
  }
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (!hexadecimal && digits.find('.') != std::string_view::npos) {
    const std::string copy(digits);
    char* stop = nullptr;
    token_.kind = Token::Kind::double_;
    token_.bits = std::bit_cast<std::uint64_t>(std::strtod(copy.c_str(), &stop));
    if (*stop != 0) fail(fmt::format("`{}` is not a number", digits));
    return;
  }
  if (digits.back() == 'U' || digits.back() == 'u') digits.remove_suffix(1);
  if (hexadecimal) return number(digits.substr(2), 16);
  if (digits.starts_with("0b") || digits.starts_with("0B")) return number(digits.substr(2), 2);
  if (digits.size() > 1 && digits[0] == '0') return number(digits.substr(1), 8);
  number(digits, 10);
}

void Lexer::read_string() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
  token_.text = text_.substr(at_ + 1, std::min(end, text_.size()) - at_ - 1);
  token_.kind = Token::Kind::string;
  if (end >= text_.size() || text_[end] != '"') {
    at_ = std::min(end, text_.size());
    if (!skipping_) fail("this string is never closed");
    return;
  }
  at_ = end + 1;
}

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the text";
  if (token.kind == Token::Kind::string) return "a string";
  return fmt::format("`{}`", token.text);
}

}  // namespace workbook::ptx
