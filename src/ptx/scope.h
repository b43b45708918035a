// The names of one function body while it is read: registers, variables and labels, in nested scopes `{ }`.
//
// The same name may be declared again in another scope; call sequences and inline assembly live from that.
// Numbered registers `%r<6>` are kept as a range, so a function with thousands of registers costs nothing to
// declare. A label may be used before it is defined, so uses are collected and resolved when their scope
// closes: first among the labels of that scope, else in the one around it.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/ir.h"
#include "ptx/lexer.h"

namespace workbook::ptx {

struct Symbol {
  enum class Kind : std::uint8_t { reg, variable, target_list, prototype };
  Kind kind = Kind::reg;
  std::uint32_t index = no_index;
  Home home = Home::function;
};

class Scopes {
 public:
  // A use of a label: operand `entry` of instruction `index`, or entry of target list `index`.
  struct Use {
    Token name;
    std::uint32_t index;
    std::uint32_t entry;
    bool in_list;
  };

  void open() { scopes_.emplace_back(); }
  // Closes the innermost scope; gives each use that finds its label to `resolve(use, instruction_index)`.
  // Uses that are still open go to the scope around; those of the last scope are returned.
  template <typename Resolve>
  std::vector<Use> close(Resolve resolve);
  std::size_t depth() const { return scopes_.size(); }

  bool declare(std::string_view name, Symbol symbol);  // false: already there, in this scope
  bool declare_range(std::string_view prefix, std::uint32_t count, std::uint32_t first);
  bool define_label(std::string_view name, std::uint32_t instruction);
  void use_label(const Use& use) { scopes_.back().uses.push_back(use); }

  const Symbol* find(std::string_view name) const;

 private:
  struct Range {
    std::uint32_t count;
    std::uint32_t first;
  };
  struct Scope {
    std::unordered_map<std::string_view, Symbol> names;
    std::unordered_map<std::string_view, Range> ranges;
    std::unordered_map<std::string_view, std::uint32_t> labels;
    std::vector<Use> uses;
  };
  std::vector<Scope> scopes_;
  mutable Symbol in_range_;
};

template <typename Resolve>
std::vector<Scopes::Use> Scopes::close(Resolve resolve) {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  std::vector<Use> open_uses;
  for (const Use& use : scope.uses) {
    const auto label = scope.labels.find(use.name.text);
    if (label != scope.labels.end()) {
      resolve(use, label->second);
    } else if (!scopes_.empty()) {
      scopes_.back().uses.push_back(use);
    } else {
      open_uses.push_back(use);
    }
  }
  return open_uses;
}

}  // namespace workbook::ptx
