#include "ptx/scope.h"

#include <charconv>

namespace workbook::ptx {

namespace {

// "%r12" -> "%r", 12. False for a name without a number, or with a leading zero ("%r012" is another name).
bool split_number(std::string_view name, std::string_view& prefix, std::uint32_t& number) {
  std::size_t begin = name.size();
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  if (begin == name.size() || (name[begin] == '0' && begin + 1 < name.size())) return false;
  prefix = name.substr(0, begin);
  return std::from_chars(name.data() + begin, name.data() + name.size(), number).ec == std::errc();
}

}  // namespace

bool Scopes::declare(std::string_view name, Symbol symbol) {
  return scopes_.back().names.emplace(name, symbol).second;
}

bool Scopes::declare_range(std::string_view prefix, std::uint32_t count, std::uint32_t first) {
  return scopes_.back().ranges.emplace(prefix, Range{count, first}).second;
}

bool Scopes::define_label(std::string_view name, std::uint32_t instruction) {
  return scopes_.back().labels.emplace(name, instruction).second;
}

const Symbol* Scopes::find(std::string_view name) const {
  std::string_view prefix;
  std::uint32_t number = 0;
  const bool numbered = split_number(name, prefix, number);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto exact = scope->names.find(name);
    if (exact != scope->names.end()) return &exact->second;
    if (!numbered || scope->ranges.empty()) continue;
    // A prefix may end in digits itself (`%r1<4>` makes %r10...%r13): try every way to cut the name.
    for (std::size_t length = prefix.size(); length < name.size(); ++length) {
      std::uint32_t index = 0;
      const auto range = scope->ranges.find(name.substr(0, length));
      if (range == scope->ranges.end()) continue;
      const std::string_view digits = name.substr(length);
      if (digits.size() > 1 && digits[0] == '0') continue;
      std::from_chars(digits.data(), digits.data() + digits.size(), index);
      if (index >= range->second.count) continue;
      in_range_ = {Symbol::Kind::reg, range->second.first + index, Home::function};
      return &in_range_;
    }
  }
  return nullptr;
}

}  // namespace workbook::ptx
