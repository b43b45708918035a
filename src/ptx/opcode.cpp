#include "ptx/opcode.h"

#include <array>
#include <unordered_map>

namespace workbook::ptx {

namespace {

constexpr std::array<OpcodeRow, opcode_count> rows = {{
#define WORKBOOK_X(name, text, min, max, sentence) {text, min, max, sentence},
    WORKBOOK_PTX_OPCODES(WORKBOOK_X)
#undef WORKBOOK_X
}};

const std::unordered_map<std::string_view, Opcode>& opcodes_by_text() {
  static const auto* table = [] {
    auto* map = new std::unordered_map<std::string_view, Opcode>;
    for (int i = 0; i < opcode_count; ++i) map->emplace(rows[i].text, static_cast<Opcode>(i));
    return map;
  }();
  return *table;
}

}  // namespace

const OpcodeRow& row_of(Opcode op) {
  return rows[static_cast<std::size_t>(op)];
}
std::string_view name_of(Opcode op) {
  return row_of(op).text;
}

std::optional<Opcode> find_opcode(std::string_view dotted, std::size_t& length) {
  const auto& table = opcodes_by_text();
  // A row has at most three words: try the first three, two, one.
  std::array<std::size_t, 3> ends{};
  std::size_t count = 0;
  for (std::size_t at = 0; count < ends.size() && at != std::string_view::npos && at < dotted.size();) {
    at = dotted.find('.', at + 1);
    ends[count++] = at == std::string_view::npos ? dotted.size() : at;
  }
  while (count > 0) {
    length = ends[--count];
    const auto found = table.find(dotted.substr(0, length));
    if (found != table.end()) return found->second;
  }
  length = std::min(dotted.find('.'), dotted.size());
  return {};
}

}  // namespace workbook::ptx
