// A line of some text with a caret under the place that is meant:
//
//    12 | ld.globl.f32 %f1, [%rd4];
//       |    ^
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace workbook::base {

// `column` counts bytes from 1; tabs are shown as one space; a long line is cut to the part around the caret.
std::string caret_picture(std::string_view line_text, std::uint32_t line, std::uint32_t column);

// The line that holds byte `offset` of `text`, without its end.
std::string_view line_at(std::string_view text, std::size_t offset);

}  // namespace workbook::base
