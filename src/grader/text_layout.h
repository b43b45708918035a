// Laying out text for a terminal: widths, wrapping, color.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workbook::grader {

// Columns a terminal needs for UTF-8 text; Korean, Chinese and Japanese letters are two wide.
std::size_t width_of(std::string_view text);

// The text with every control character but line end and tab replaced by a picture of it (U+2400 and on), and
// every byte that is no UTF-8 by U+FFFD: what a learner's program or a compiler printed may reach a terminal
// so.
std::string printable(std::string_view text);

// Broken at spaces so that no line is wider than `columns`; `first` stands before the first line, `rest`
// before the others.
std::string wrapped(std::string_view text, std::size_t columns, std::string_view first = "",
                    std::string_view rest = "");

// `left`, spaces, `right`, together `columns` wide.
std::string spread(std::string_view left, std::string_view right, std::size_t columns);

std::string rule(std::size_t columns);  // a line of U+2500

// A bar of `value` on a scale where `full` is `columns` wide, in eighths.
std::string bar(double value, double full, std::size_t columns);

enum class Color { none, red, green, yellow, bold, dim };
// ANSI codes around the text, or the text as it is when `use` is false.
std::string colored(std::string_view text, Color color, bool use);

}  // namespace workbook::grader
