#include "trace/reader.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace workbook::trace {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(fmt::format("cannot open '{}': {}", path, std::strerror(errno)));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TraceFile read_trace(const std::string& path) {
  return parse_trace(read_file(path), path);
}

TraceFile parse_trace(std::string_view text, const std::string& name) {
  TraceFile out;
  std::size_t line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {  // every complete line ends with a newline
      out.torn = true;
      break;
    }
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.empty()) continue;
    try {
      const auto json = nlohmann::json::parse(line);
      if (!out.has_header) {
        out.header = header_from_json(json);
        out.has_header = true;
      } else {
        out.events.push_back(event_from_json(json));
      }
    } catch (const std::exception& error) {
      throw std::runtime_error(fmt::format("{}:{}: not a trace line: {}", name, line_number, error.what()));
    }
  }
  return out;
}

}  // namespace workbook::trace
