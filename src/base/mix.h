// The scrambling steps of the splitmix64 generator: every bit of the result depends on every bit of x, and
// different numbers stay different. For choices that must look like chance and be the same everywhere.
#pragma once

#include <cstdint>

namespace workbook::base {

inline constexpr std::uint64_t golden_step =
    0x9e3779b97f4a7c15ull;  // 2^64 / golden ratio: spreads 1, 2, 3, ...

constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

}  // namespace workbook::base
