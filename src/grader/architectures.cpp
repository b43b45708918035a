#include "grader/architectures.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "grader/files.h"

namespace workbook::grader {

namespace {

constexpr std::string_view names[] = {"-gencode",           "--generate-code", "-arch",
                                      "--gpu-architecture", "-code",           "--gpu-code"};

bool is_name(std::string_view word) {
  return std::find(std::begin(names), std::end(names), word) != std::end(names);
}

bool is_value(std::string_view word) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789_=,[]-";
  return !word.empty() && word.front() != '-' && word.find_first_not_of(letters) == std::string_view::npos;
}

// A shell would take the quotes away.
std::string without_quotes(std::string word) {
  std::erase_if(word, [](char c) { return c == '"' || c == '\''; });
  return word;
}

}  // namespace

Architectures read_architectures(const std::string& text) {
  Architectures out;
  std::uint32_t number = 0;
  std::string waiting;  // an option that has no value yet
  const auto refuse = [&](const std::string& problem) {
    if (!out.problem.empty()) return;
    out.problem = problem;
    out.line = number;
  };
  for (const std::string& line : split_lines(text)) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) {
      word = without_quotes(word);
      if (word.empty() || word == "\\") continue;
      const std::size_t equals = word.find('=');
      if (!waiting.empty()) {
        if (!is_value(word)) refuse(fmt::format("{} needs a value, and '{}' is none.", waiting, word));
        out.options.push_back(word);
        waiting.clear();
      } else if (is_name(word)) {
        out.options.push_back(word);
        waiting = word;
      } else if (equals != std::string::npos && is_name(word.substr(0, equals)) &&
                 is_value(word.substr(equals + 1))) {
        out.options.push_back(word);
      } else {
        refuse(fmt::format("'{}' is no option that names architectures.", word));
      }
    }
  }
  if (!waiting.empty()) refuse(fmt::format("{} needs a value.", waiting));
  return out;
}

std::vector<std::string> without_architectures(const std::vector<std::string>& options) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (is_name(options[i]))
      ++i;  // and its value
    else if (!is_name(options[i].substr(0, options[i].find('='))))
      out.push_back(options[i]);
  }
  return out;
}

}  // namespace workbook::grader
