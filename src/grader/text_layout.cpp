#include "grader/text_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace workbook::grader {

namespace {

// The ranges of Unicode that terminals draw two columns wide.
bool is_wide(std::uint32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
         (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1faff);
}

std::uint32_t next_code_point(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80 ? 1u : first < 0xe0 ? 2u : first < 0xf0 ? 3u : 4u;
  std::uint32_t c = length == 1 ? first : first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length && i < text.size(); ++i)
    c = (c << 6) | (static_cast<unsigned char>(text[i]) & 0x3fu);
  text.remove_prefix(std::min(length, text.size()));
  return c;
}

// How many bytes of well-formed UTF-8 the text begins with; 0 for none.
std::size_t whole_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80   ? 1u
                             : first < 0xc2 ? 0u
                             : first < 0xe0 ? 2u
                             : first < 0xf0 ? 3u
                             : first < 0xf5 ? 4u
                                            : 0u;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

// Marks that change the order in which a terminal or a browser shows what follows, and line ends that only
// some know: with them a name or a message can look like another one.
bool turns_the_line(std::uint32_t c) {
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f ||
         c == 0x061c || c == 0x2028 || c == 0x2029;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = whole_character(text);
    std::string_view rest = text;
    const std::uint32_t c = length == 0 ? 0xfffd : next_code_point(rest);
    if (length == 0 || (c >= 0x7f && c < 0xa0)) {
      out += c == 0x7f ? "\u2421" : "\ufffd";
    } else if (turns_the_line(c)) {
      out += "\ufffd";
    } else if (c < 0x20 && c != '\n' && c != '\t') {
      out += "\xe2\x90";
      out += static_cast<char>(0x80 + c);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::uint32_t c = next_code_point(text);
    if (c == 0x1b) {  // an ANSI color: up to its 'm'
      const std::size_t end = text.find('m');
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    } else if (c >= 0x20 && !(c >= 0x300 && c <= 0x36f)) {
      width += is_wide(c) ? 2 : 1;
    }
  }
  return width;
}

std::string wrapped(std::string_view text, std::size_t columns, std::string_view first,
                    std::string_view rest) {
  std::string out(first), word;
  std::size_t at = width_of(first), start = at;
  auto place = [&] {
    if (word.empty()) return;
    const std::size_t width = width_of(word);
    if (at > start && at + 1 + width > columns) {
      out += '\n';
      out += rest;
      at = start = width_of(rest);
    }
    if (at > start) {
      out += ' ';
      ++at;
    }
    out += word;
    at += width;
    word.clear();
  };
  for (const char c : text) {
    if (c == '\n') {
      place();
      out += '\n';
      out += rest;
      at = start = width_of(rest);
    } else if (c == ' ') {
      // Two spaces in a row are layout and stay.
      if (word.empty() && at > start && out.back() != ' ') out += ' ', ++at, start = std::max(start, at);
      place();
    } else {
      word += c;
    }
  }
  place();
  return out;
}

std::string spread(std::string_view left, std::string_view right, std::size_t columns) {
  const std::size_t taken = width_of(left) + width_of(right);
  std::string out(left);
  out.append(taken + 2 <= columns ? columns - taken : 2, ' ');
  return out += right;
}

std::string rule(std::size_t columns) {
  std::string out;
  for (std::size_t i = 0; i < columns; ++i) out += "─";
  return out;
}

std::string bar(double value, double full, std::size_t columns) {
  static constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(full > 0) || !(value > 0)) return "▏";
  const auto units =
      static_cast<std::size_t>(std::lround(std::min(value / full, 1.0) * 8 * static_cast<double>(columns)));
  std::string out;
  for (std::size_t i = 0; i < units / 8; ++i) out += "█";
  out += eighths[units % 8];
  return out.empty() ? "▏" : out;
}

std::string colored(std::string_view text, Color color, bool use) {
  static constexpr const char* codes[] = {"", "31", "32", "33", "1", "2"};
  if (!use || color == Color::none) return std::string(text);
  return "\x1b[" + std::string(codes[static_cast<int>(color)]) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace workbook::grader
