// Comparing arrays, and saying what is wrong in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace workbook {

// |got - expected| <= absolute + relative * |expected|; NaN equals only NaN. With `bits`, every bit counts:
// -0 is not +0, and a NaN matches any NaN.
struct Tolerance {
  double absolute = 0;  // in the unit of the values
  double relative = 0;  // 1e-6: a millionth of the expected value
  bool bits = false;    // nothing but the very same bits
};
// Equal.
inline Tolerance exact() {
  return {};
}
// Every bit the same.
inline Tolerance same_bits() {
  return {.absolute = 0, .relative = 0, .bits = true};
}
// At most so far off, relative to the expected value; `absolute` is what is let pass near zero.
inline Tolerance within(double relative, double absolute = 1e-12) {
  return {absolute, relative, false};
}

// Turns an index into words: "row 3, column 7". Empty: "y[1000]".
using IndexWords = std::function<std::string(std::size_t)>;
IndexWords at(int width);  // row and column; `expect` then tries transposition too

// What is to be known of an element's type.
struct TypeWords {
  char kind;         // 'f' float, 'i' signed, 'u' unsigned
  std::size_t size;  // bytes
};
// The words of a type.
template <class T>
constexpr TypeWords describe_type() {
  return {std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u', sizeof(T)};
}

// A finding of a check: what the learner sees. See src/trace/record.h, Failure.
struct Finding {
  std::string code;                   // stable: "returns_after_kernel", "one_copy_missing"
  std::string headline;               // the first wrong thing
  std::vector<std::string> evidence;  // numbers that show it
  std::string question;               // what leads on; never the answer
};

// What a difference looks like as a whole. `code` is "pattern.tail", "pattern.bytes", "pattern.poison",
// "pattern.zero", "pattern.input", "pattern.shifted", "pattern.transposed", "pattern.stale", "pattern.block",
// "pattern.nan", or "values" when no pattern fits.
struct Difference {
  bool differs = false;       // at all
  std::size_t first = 0;      // index of the first wrong element
  std::size_t wrong = 0;      // how many are wrong
  std::string code;           // of the pattern
  std::string pattern;        // one sentence; empty when there is none
  std::string got, expected;  // of the first, as text; poison is called poison
};
// What helps to name a pattern.
struct CompareContext {
  const void* before = nullptr;    // the buffer's content before the call (inout), or null
  int width = 0;                   // > 1: try transposition
  const void* previous = nullptr;  // what the last run of this exercise should have given, or null
  std::size_t previous_count = 0;  // how many elements `previous` has
};
// Compares two arrays of `count` elements of one type, and names what the difference looks like.
Difference compare(const TypeWords&, const void* got, const void* expected, std::size_t count,
                   const Tolerance&, const CompareContext& = {});

}  // namespace workbook
