// What the checks of this chapter share: the variables of a child process, as the learner's code names them.
#pragma once

#include <workbook/check.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace warm_up {

using Variables = std::vector<std::pair<std::string, std::string>>;

// "NAME=VALUE" a line.
inline Variables parse_variables(const std::string& text) {
  Variables out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const std::size_t equals = std::min(line.find('='), line.size());
    out.emplace_back(line.substr(0, equals), equals < line.size() ? line.substr(equals + 1) : "");
    at = end + 1;
  }
  return out;
}

inline std::string words(const Variables& variables) {
  if (variables.empty()) return "no variable";
  std::string out;
  for (const auto& [name, value] : variables) out += (out.empty() ? "" : ", ") + name + "=" + value;
  return out.substr(0, 300);
}

inline std::string value_of(const Variables& variables, const std::string& name) {
  for (const auto& [known, value] : variables) {
    if (known == name) return value;
  }
  return "";
}

// Only what the lesson is about goes into a child's environment: others would change what is tested.
inline void expect_known(const Variables& variables, const std::vector<std::string>& known) {
  for (const auto& [name, value] : variables) {
    const bool odd = value.size() > 200 || value.find_first_of("\n\r") != std::string::npos;
    if (!odd && std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string list;
    for (const auto& one : known) list += (list.empty() ? "" : ", ") + one;
    workbook::fail(
        {"other_variable",
         fmt::format("'{}' is none of the variables that this exercise is about.", name.substr(0, 60)),
         {"they are: " + list},
         "Which of them decides what your child shall do?"});
  }
}

}  // namespace warm_up
