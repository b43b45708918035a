// Device printf: the format string against the buffer of arguments that the compiler packs.
//
// Arguments lie in the buffer one after another, each at a multiple of its size: 4 bytes for int and char, 8
// for long, double and pointers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace workbook::sim {

struct PrintSource {
  std::function<std::uint64_t(std::uint32_t offset, std::uint32_t size)> value;
  std::function<std::string(std::uint64_t address)> string;
};

// Appends to `out`; returns the number of arguments used, as device printf does.
int format_print(const std::string& format, const PrintSource& source, std::string& out);

}  // namespace workbook::sim
