// PTX text in, resolved module out.
//
// `read` does all of it: lexing, parsing, resolving names, checking. A mistake in a declaration throws
// `Error`. A mistake inside a function's body (an opcode that is not in the table, a modifier nobody knows, a
// wrong operand) does not: the function is kept with its name and parameters, an empty body and the message
// in Function::unreadable, so that one exotic kernel does not take the others of its file with it. Whoever
// launches or calls such a function reports that message.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ptx/ir.h"

namespace workbook::ptx {

class Error : public std::runtime_error {
 public:
  Error(const std::string& message, std::uint32_t line, std::uint32_t column, std::string_view source_line);

  const std::string& message() const { return message_; }          // one sentence, no position
  std::uint32_t line() const { return line_; }                     // from 1, in the PTX text
  std::uint32_t column() const { return column_; }                 // from 1
  const std::string& source_line() const { return source_line_; }  // that line of the text

 private:
  std::string message_;
  std::uint32_t line_;
  std::uint32_t column_;
  std::string source_line_;
};

// Reads a whole module. Text after a NUL byte is ignored (the PTX in a fatbin is padded with them).
Module read(std::string_view text);

}  // namespace workbook::ptx
