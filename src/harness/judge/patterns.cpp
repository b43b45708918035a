// What a difference looks like as a whole: one sentence in the words of a lesson.
//
// Each function below knows one picture. They are asked from the most to the least telling; the first that
// fits gives the code and the sentence. A picture must hold for all elements it speaks of: a sentence that is
// nearly true leads nowhere.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/judge/elements.h"

namespace workbook::judge {

namespace {

struct Picture {
  const Elements& elements;
  const Sides& sides;
  const CompareContext& context;
  Difference& out;

  bool says(const char* code, std::string sentence) const {
    out.code = code;
    out.pattern = std::move(sentence);
    return true;
  }
  bool written(std::size_t i, std::size_t from_byte = 0) const {
    return !elements.poison(sides.got, i, from_byte);
  }
  // The buffer held something before the call, and still does at i.
  bool untouched(std::size_t i) const {
    return context.before != nullptr && elements.equal(sides.got, i, context.before, i);
  }
};

std::string number_of(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string range_words(std::size_t first, std::size_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
}

std::string first_right(std::size_t first, std::size_t count) {
  return first == 1 ? fmt::format("Only the first of {} elements is right", count)
                    : fmt::format("The first {} of {} elements are right", first, count);
}

bool all_wrong_are_poison(const Picture& p) {
  for (std::size_t i = 0; i < p.sides.count; ++i) {
    if (!p.sides.right[i] && p.written(i)) return false;
  }
  return true;
}

bool nothing_written(const Picture& p) {
  for (std::size_t i = 0; i < p.sides.count; ++i) {
    if (p.written(i)) return false;
  }
  return p.says("pattern.poison",
                p.sides.count == 1
                    ? std::string("Nothing was written to it.")
                    : fmt::format("All {} elements are poison: nothing was written to them.", p.sides.count));
}

// Right up to `first`, and from there on `old(i, first byte)` to the end: 0 when it is not so.
template <class Old>
bool tail_from(const Picture& p, std::size_t first, Old old) {
  for (std::size_t i = first; i < p.sides.count; ++i) {
    if (!old(i)) return false;
  }
  return true;
}

// A copy was told n bytes where n elements were meant: n / size elements arrive, and some bytes of one more.
bool bytes_for_elements(const Picture& p) {
  const std::size_t size = p.elements.size(), count = p.sides.count;
  if (size == 1 || count < size || p.out.first != count / size) return false;
  const std::size_t whole = count / size, rest = count % size;
  const bool poison = (rest == 0 || p.elements.poison(p.sides.got, whole, rest)) &&
                      tail_from(p, whole + (rest != 0), [&](std::size_t i) { return !p.written(i); });
  const bool old = tail_from(p, whole + (rest != 0), [&](std::size_t i) { return p.untouched(i); });
  const bool zero =
      tail_from(p, whole + (rest != 0), [&](std::size_t i) { return p.elements.zero(p.sides.got, i); });
  if (!poison && !old && !zero) return false;
  return p.says("pattern.bytes", fmt::format("{}: that is n / {}, and an element has {} bytes. A size "
                                             "was given in elements where bytes are wanted.",
                                             first_right(whole, count), size, size));
}

bool tail(const Picture& p) {
  const std::size_t first = p.out.first, count = p.sides.count;
  if (first == 0) return false;
  const std::string last =
      fmt::format("the last {} ({})", number_of(count - first, "element"), range_words(first, count - 1));
  if (tail_from(p, first, [&](std::size_t i) { return !p.written(i); }))
    return p.says("pattern.tail", fmt::format("{}; {} {} never written.", first_right(first, count), last,
                                              count - first == 1 ? "was" : "were"));
  if (tail_from(p, first, [&](std::size_t i) { return p.untouched(i); }))
    return p.says("pattern.tail", fmt::format("{}; {} still {} what went in.", first_right(first, count),
                                              last, count - first == 1 ? "holds" : "hold"));
  return false;
}

bool some_not_written(const Picture& p) {
  // A few bytes of 255 prove nothing.
  if (!all_wrong_are_poison(p) || (p.elements.size() == 1 && p.sides.wrong < 4)) return false;
  return p.says("pattern.poison",
                p.sides.wrong == 1
                    ? fmt::format("All others are right; element {} was never written.", p.out.first)
                    : fmt::format("The {} wrong elements are all poison: nobody wrote them.", p.sides.wrong));
}

bool all_zero(const Picture& p) {
  if (p.sides.count < 2) return false;
  for (std::size_t i = 0; i < p.sides.count; ++i) {
    if (!p.elements.zero(p.sides.got, i)) return false;
  }
  return p.says("pattern.zero", fmt::format("All {} elements are zero.", p.sides.count));
}

bool unchanged_input(const Picture& p) {
  if (p.context.before == nullptr) return false;
  for (std::size_t i = 0; i < p.sides.count; ++i) {
    if (!p.untouched(i)) return false;
  }
  return p.says("pattern.input", "It is unchanged: it still holds what went in.");
}

// Every wrong element is what the run before should have left there.
bool stale(const Picture& p) {
  if (p.context.previous == nullptr || p.sides.wrong < 2) return false;
  bool distinct = false;
  for (std::size_t i = 0; i < p.sides.count; ++i) {
    if (p.sides.right[i]) continue;
    if (i >= p.context.previous_count || !p.elements.equal(p.sides.got, i, p.context.previous, i))
      return false;
    distinct = distinct || !p.elements.equal(p.context.previous, i, p.context.previous, p.out.first);
  }
  if (!distinct && p.sides.wrong > 1) return false;  // one value everywhere: no evidence of anything
  return p.says("pattern.stale",
                fmt::format("The {} {} what the call before this one should have given: old data.",
                            number_of(p.sides.wrong, "wrong element"), p.sides.wrong == 1 ? "is" : "are"));
}

bool varied(const Picture& p) {
  for (std::size_t i = 1; i < p.sides.count; ++i) {
    if (!p.elements.equal(p.sides.expected, i, p.sides.expected, 0)) return true;
  }
  return false;
}

// got[i] is expected[i + k] wherever both exist.
bool shifted_by(const Picture& p, std::ptrdiff_t k) {
  const auto count = static_cast<std::ptrdiff_t>(p.sides.count);
  for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, -k); i < std::min(count, count - k); ++i) {
    if (!p.elements.equal(p.sides.got, static_cast<std::size_t>(i), p.sides.expected,
                          static_cast<std::size_t>(i + k)))
      return false;
  }
  return true;
}

bool shifted(const Picture& p) {
  if (p.sides.count < 6 || !varied(p)) return false;
  const auto most = static_cast<std::ptrdiff_t>(std::min<std::size_t>(p.sides.count / 2, 1024));
  for (std::ptrdiff_t k = 1; k <= most; ++k) {
    for (const std::ptrdiff_t by : {k, -k}) {
      if (!shifted_by(p, by)) continue;
      return p.says(
          "pattern.shifted",
          fmt::format("All values are there, {} too {}: element i holds what belongs to element i {} {}.",
                      number_of(static_cast<std::size_t>(k), "place"), by > 0 ? "early" : "late",
                      by > 0 ? "+" : "-", k));
    }
  }
  return false;
}

bool transposed(const Picture& p) {
  if (p.context.width < 2) return false;
  const auto width = static_cast<std::size_t>(p.context.width);
  const std::size_t height = p.sides.count / width;
  if (height < 2 || height * width != p.sides.count || !varied(p)) return false;
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      if (!p.elements.equal(p.sides.got, column * height + row, p.sides.expected, row * width + column))
        return false;
    }
  }
  return p.says(
      "pattern.transposed",
      fmt::format(
          "Rows and columns are exchanged: what belongs in row r, column c lies where the image had {} "
          "columns instead of {}.",
          height, width));
}

bool nan_cluster(const Picture& p) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < p.sides.count; ++i) {
    if (p.sides.right[i]) continue;
    if (!p.elements.nan(p.sides.got, i)) return false;
    last = i;
  }
  return p.says("pattern.nan", fmt::format("The {} {} NaN (not a number), from {} to {}.",
                                           number_of(p.sides.wrong, "wrong element"),
                                           p.sides.wrong == 1 ? "is" : "are all", p.out.first, last));
}

// Only the first or only the last element of every block of `size`.
bool block_edges(const Picture& p, std::size_t size) {
  bool at_first = true, at_last = true;
  std::size_t edges = 0;
  for (std::size_t i = 0; i < p.sides.count; ++i) {
    const bool first = i % size == 0, last = i % size == size - 1;
    edges += first;
    if (p.sides.right[i]) continue;
    at_first = at_first && first;
    at_last = at_last && last;
  }
  if ((!at_first && !at_last) || p.sides.wrong < 2 || 2 * p.sides.wrong < edges) return false;
  return p.says(
      "pattern.block",
      fmt::format("Wrong are only elements {} of every {}: the {} of a block of {} threads.",
                  at_first ? "0" : fmt::format("{}", size - 1), size, at_first ? "first" : "last", size));
}

bool blocks(const Picture& p) {
  for (const std::size_t size : {1024, 768, 512, 384, 256, 192, 128, 96, 64, 32, 16, 8}) {
    if (p.sides.count > size && block_edges(p, size)) return true;
  }
  return false;
}

}  // namespace

void find_pattern(const Elements& elements, const Sides& sides, const CompareContext& context,
                  Difference& difference) {
  const Picture picture{elements, sides, context, difference};
  using Look = bool (*)(const Picture&);
  constexpr std::array<Look, 11> looks{
      nothing_written,  bytes_for_elements, tail,    all_zero, unchanged_input, stale,
      some_not_written, transposed,         shifted, blocks,   nan_cluster};
  for (const Look look : looks) {
    if (look(picture)) return;
  }
}

}  // namespace workbook::judge
