#include "ptx/reader.h"

#include <fmt/format.h>

#include "base/caret.h"
#include "ptx/parser.h"

namespace workbook::ptx {

namespace {
std::string picture(const std::string& message, std::uint32_t line, std::uint32_t column,
                    std::string_view text) {
  return fmt::format("PTX line {}: {}\n{}", line, message, base::caret_picture(text, line, column));
}
}  // namespace

Error::Error(const std::string& message, std::uint32_t line, std::uint32_t column,
             std::string_view source_line)
    : std::runtime_error(picture(message, line, column, source_line)),
      message_(message),
      line_(line),
      column_(column),
      source_line_(source_line) {}

Module read(std::string_view text) {
  return Parser(text).run();
}

}  // namespace workbook::ptx
