#include "base/caret.h"

#include <fmt/format.h>

#include <algorithm>

namespace workbook::base {

namespace {
constexpr std::size_t widest = 100;
}

std::string_view line_at(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', offset), text.size());
  std::string_view line = text.substr(begin, end - begin);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string caret_picture(std::string_view line_text, std::uint32_t line, std::uint32_t column) {
  std::size_t at = std::min<std::size_t>(column == 0 ? 0 : column - 1, line_text.size());
  if (line_text.size() > widest) {
    const std::size_t begin = std::min(at > widest / 2 ? at - widest / 2 : 0, line_text.size() - widest);
    line_text = line_text.substr(begin, widest);
    at -= begin;
  }
  std::string shown(line_text);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  const std::string number = fmt::format("{:>5}", line);
  return fmt::format("{} | {}\n{:{}} | {:{}}^", number, shown, "", number.size(), "", at);
}

}  // namespace workbook::base
