// Shapes of images for the checks of this chapter, and numbers that say where they belong.
#pragma once

#include <workbook/check.h>

namespace nhwc {

using namespace workbook;

struct Shape {
  int n, c, h, w;
  std::size_t numbers() const {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(c) * static_cast<std::size_t>(h) *
           static_cast<std::size_t>(w);
  }
  std::string words() const { return fmt::format("n {}, c {}, h {}, w {}", n, c, h, w); }
};

// Where a number stands.
struct Place {
  int n, c, h, w;
  std::string words() const { return fmt::format("image {}, channel {}, row {}, pixel {}", n, c, h, w); }
};

inline Place place_in_nchw(const Shape& s, std::size_t i) {
  const auto size = [](int x) { return static_cast<std::size_t>(x); };
  return {static_cast<int>(i / size(s.w) / size(s.h) / size(s.c)),
          static_cast<int>(i / size(s.w) / size(s.h) % size(s.c)),
          static_cast<int>(i / size(s.w) % size(s.h)), static_cast<int>(i % size(s.w))};
}
inline Place place_in_nhwc(const Shape& s, std::size_t i) {
  const auto size = [](int x) { return static_cast<std::size_t>(x); };
  return {static_cast<int>(i / size(s.c) / size(s.w) / size(s.h)), static_cast<int>(i % size(s.c)),
          static_cast<int>(i / size(s.c) / size(s.w) % size(s.h)),
          static_cast<int>(i / size(s.c) % size(s.w))};
}
inline std::size_t index_in_nchw(const Shape& s, const Place& p) {
  return ((static_cast<std::size_t>(p.n) * static_cast<std::size_t>(s.c) + static_cast<std::size_t>(p.c)) *
              static_cast<std::size_t>(s.h) +
          static_cast<std::size_t>(p.h)) *
             static_cast<std::size_t>(s.w) +
         static_cast<std::size_t>(p.w);
}
inline std::size_t index_in_nhwc(const Shape& s, const Place& p) {
  return ((static_cast<std::size_t>(p.n) * static_cast<std::size_t>(s.h) + static_cast<std::size_t>(p.h)) *
              static_cast<std::size_t>(s.w) +
          static_cast<std::size_t>(p.w)) *
             static_cast<std::size_t>(s.c) +
         static_cast<std::size_t>(p.c);
}

inline IndexWords in_nhwc(const Shape& s) {
  return [s](std::size_t i) { return place_in_nhwc(s, i).words(); };
}

inline void expect_success(const Result& result, const char* function) {
  result.expect_clean();
  result.expect_that(result.integer("status") == 0,
                     {"returned_error",
                      fmt::format("{} returned {}.", function, result.text("status_name")),
                      {fmt::format("the steps: {}", result.trace().letters())},
                      "Which launch is refused, and what does it ask for?"});
}

// The sum of a counter over the learner's kernels; nothing on a GPU.
inline std::optional<std::uint64_t> counted(const Result& result, std::string_view name) {
  if (!result.trace().counters_known()) return std::nullopt;
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < result.trace().kernels().size(); ++k)
    sum += result.trace().counter(k, name).value_or(0);
  return sum;
}

}  // namespace nhwc
