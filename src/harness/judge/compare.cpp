#include "workbook/compare.h"

#include <fmt/format.h>

#include "harness/judge/elements.h"

namespace workbook {

namespace judge {

std::string Elements::text(const void* data, std::size_t i) const {
  return with_type(type_, [&](auto zero) {
    const auto value = load<decltype(zero)>(data, i);
    if constexpr (sizeof(value) == 1)
      return fmt::format("{}", static_cast<int>(value));
    else
      return fmt::format("{}", value);
  });
}

std::string RowAndColumn::operator()(std::size_t index) const {
  return fmt::format("row {}, column {}", index / width, index % width);
}

}  // namespace judge

IndexWords at(int width) {
  return judge::RowAndColumn{static_cast<std::size_t>(width > 0 ? width : 1)};
}

Difference compare(const TypeWords& type, const void* got, const void* expected, std::size_t count,
                   const Tolerance& tolerance, const CompareContext& context) {
  const judge::Elements elements(type, tolerance);
  judge::Sides sides{got, expected, count, std::vector<bool>(count), 0};
  Difference difference;
  for (std::size_t i = 0; i < count; ++i) {
    sides.right[i] = elements.equal(got, i, expected, i);
    if (sides.right[i]) continue;
    if (sides.wrong++ == 0) difference.first = i;
  }
  difference.wrong = sides.wrong;
  difference.differs = sides.wrong > 0;
  if (!difference.differs) return difference;
  difference.code = "values";
  difference.expected = elements.text(expected, difference.first);
  judge::find_pattern(elements, sides, context, difference);
  // One byte of ones may well be a value; it is called poison only where the whole picture says so.
  const bool poison =
      elements.poison(got, difference.first) && (type.size > 1 || difference.code != "values");
  difference.got = poison ? "poison (never written)" : elements.text(got, difference.first);
  return difference;
}

}  // namespace workbook
