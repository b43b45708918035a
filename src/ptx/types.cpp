#include <algorithm>
#include <array>

#include "ptx/ir.h"
#include "ptx/modifiers.h"

namespace workbook::ptx {

namespace {

struct TypeRow {
  std::string_view name;
  std::uint8_t size;
};

// In the order of enum class Type.
constexpr TypeRow types[] = {
    {"none", 0},   {"pred", 1},   {"b8", 1},    {"b16", 2}, {"b32", 4},  {"b64", 8},   {"b128", 16},
    {"u8", 1},     {"u16", 2},    {"u32", 4},   {"u64", 8}, {"s8", 1},   {"s16", 2},   {"s32", 4},
    {"s64", 8},    {"u16x2", 4},  {"s16x2", 4}, {"f16", 2}, {"bf16", 2}, {"f16x2", 4}, {"bf16x2", 4},
    {"e4m3x2", 2}, {"e5m2x2", 2}, {"tf32", 4},  {"f32", 4}, {"f64", 8},
};
static_assert(std::size(types) == static_cast<std::size_t>(Type::f64) + 1);

}  // namespace

int size_of(Type type) {
  return types[static_cast<std::size_t>(type)].size;
}
bool is_float(Type type) {
  return type >= Type::f16;
}
bool is_signed(Type type) {
  return type >= Type::s8 && type <= Type::s64;
}
std::string_view name_of(Type type) {
  return types[static_cast<std::size_t>(type)].name;
}

std::optional<Type> find_type(std::string_view word) {
  if (word.size() < 2) return {};
  for (std::size_t i = 1; i < std::size(types); ++i) {
    if (types[i].name == word) return static_cast<Type>(i);
  }
  return {};
}

}  // namespace workbook::ptx
