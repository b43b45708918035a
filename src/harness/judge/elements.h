// Elements of an array whose type is known only as words: reading one, and asking whether two are equal.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "workbook/compare.h"

namespace workbook::judge {

// What `at` returns: a named type, so that `expect` can find the width in an IndexWords.
struct RowAndColumn {
  std::size_t width;
  std::string operator()(std::size_t index) const;
};

template <class T>
T load(const void* data, std::size_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + index * sizeof(T), sizeof(T));
  return value;
}

// Calls `f` with a value of the C++ type that the words describe.
template <class F>
auto with_type(const TypeWords& type, F&& f) {
  if (type.kind == 'f') return type.size == 4 ? f(float{}) : f(double{});
  if (type.kind == 'i') {
    if (type.size == 1) return f(std::int8_t{});
    if (type.size == 2) return f(std::int16_t{});
    return type.size == 4 ? f(std::int32_t{}) : f(std::int64_t{});
  }
  if (type.size == 1) return f(std::uint8_t{});
  if (type.size == 2) return f(std::uint16_t{});
  return type.size == 4 ? f(std::uint32_t{}) : f(std::uint64_t{});
}

// One array against another.
class Elements {
 public:
  Elements(const TypeWords& type, const Tolerance& tolerance) : type_(type), tolerance_(tolerance) {}

  bool equal(const void* a, std::size_t i, const void* b, std::size_t j) const {
    return with_type(type_, [&](auto zero) {
      using T = decltype(zero);
      return same(load<T>(a, i), load<T>(b, j));
    });
  }
  bool poison(const void* data, std::size_t i, std::size_t from_byte = 0) const {
    const auto* bytes = static_cast<const unsigned char*>(data) + i * type_.size;
    for (std::size_t b = from_byte; b < type_.size; ++b) {
      if (bytes[b] != 0xff) return false;
    }
    return true;
  }
  bool zero(const void* data, std::size_t i) const {
    return with_type(type_, [&](auto z) { return load<decltype(z)>(data, i) == decltype(z){}; });
  }
  bool nan(const void* data, std::size_t i) const {
    if (type_.kind != 'f') return false;
    return with_type(type_,
                     [&](auto z) { return std::isnan(static_cast<double>(load<decltype(z)>(data, i))); });
  }
  std::string text(const void* data, std::size_t i) const;
  std::size_t size() const { return type_.size; }

 private:
  template <class T>
  bool same(T got, T expected) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(expected)) return std::isnan(got);
      if (tolerance_.bits) return std::memcmp(&got, &expected, sizeof(T)) == 0;
      if (got == expected) return true;  // infinities too
      const double error = std::fabs(static_cast<double>(got) - static_cast<double>(expected));
      // An infinite expectation would allow everything.
      if (std::isinf(expected)) return false;
      return error <= tolerance_.absolute + tolerance_.relative * std::fabs(static_cast<double>(expected));
    } else {
      if (got == expected) return true;
      if (tolerance_.bits || (tolerance_.absolute == 0 && tolerance_.relative == 0)) return false;
      const double e = static_cast<double>(expected);
      return std::fabs(static_cast<double>(got) - e) <=
             tolerance_.absolute + tolerance_.relative * std::fabs(e);
    }
  }

  TypeWords type_;
  Tolerance tolerance_;
};

// What the patterns look at.
struct Sides {
  const void* got = nullptr;
  const void* expected = nullptr;
  std::size_t count = 0;
  std::vector<bool> right;  // by index
  std::size_t wrong = 0;    // how many are not
};

// Fills code and pattern of `difference`, or leaves "values".
void find_pattern(const Elements&, const Sides&, const CompareContext&, Difference& difference);

}  // namespace workbook::judge
