// Reads a trace file back. A torn last line (the program died while it wrote) is ignored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace/event.h"

namespace workbook::trace {

struct TraceFile {
  bool has_header = false;  // false: the program never reached its first CUDA call
  Header header;
  std::vector<Event> events;  // in the order of the file
  bool torn = false;          // the last line was incomplete
};

// An empty file is a trace without header and events. Throws std::runtime_error, with the path and the line,
// when the file can't be opened, is of another schema, or has a wrong line that is not the last one.
TraceFile read_trace(const std::string& path);

// The same from text; `name` stands in messages.
TraceFile parse_trace(std::string_view text, const std::string& name = "trace");

// The whole file as text. Throws std::runtime_error.
std::string read_file(const std::string& path);

}  // namespace workbook::trace
