// The bytes of the batches: what the drivers of this chapter decode, and what the judges expect the model to
// make of them.
#pragma once

#include <workbook/half.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace capstone {

struct Shape {
  int count = 1, stored = 8, side = 6;
  std::size_t pixels() const { return std::size_t(count) * side * side; }
  std::size_t bytes() const { return std::size_t(count) * stored * stored * 3; }
};

// Powers of two and their multiples: no order of the operations rounds anything.
inline constexpr float scale[3] = {1.0f / 64, 1.0f / 128, 1.0f / 32}, bias[3] = {-1.875f, -0.96875f, -3.75f};

// The words [first, last) of a batch, 8 bytes each; the last one may be cut off. `key` says which batch of
// which run.
inline void fill(std::uint64_t key, std::uint8_t* to, std::size_t bytes, std::size_t first,
                 std::size_t last) {
  constexpr std::uint64_t step = 0x9e3779b97f4a7c15ull;
  const std::uint64_t start = (key + 1) * 0xd1b54a32d192ed03ull;
  const auto word = [start](std::size_t j) {
    const std::uint64_t w = start + j * step;
    return w ^ (w >> 29);
  };
  // Whole words by themselves: a copy of eight bytes is one store, a copy of "up to eight" is a call.
  // Decoding must not take longer than the device's work on a batch, whatever its time is set to.
  const std::size_t whole = std::min(last, bytes / 8);
  std::size_t j = first;
  for (; j < whole; ++j) {
    const std::uint64_t value = word(j);
    std::memcpy(to + 8 * j, &value, 8);
  }
  for (; j < last; ++j) {
    const std::uint64_t value = word(j);
    std::memcpy(to + 8 * j, &value, bytes - 8 * j);
  }
}

inline std::size_t words(std::size_t bytes) {
  return (bytes + 7) / 8;
}

// The number of a batch among all that are made: `run` tells the runs of one program apart.
inline std::uint64_t key_of(std::uint64_t run, int n) {
  return run * 1'000'003 + static_cast<std::uint64_t>(n);
}

// What the model adds up: of word w[i] of the input in NHWC, w[i] * (2 i + 1).
inline std::uint64_t input_sum(const Shape& s, const std::vector<std::uint8_t>& bytes) {
  std::uint64_t table[3][256];
  for (int c = 0; c < 3; ++c)
    for (int b = 0; b < 256; ++b) table[c][b] = workbook::half_from(double(b) * scale[c] + bias[c]);
  std::uint64_t sum = 0, i = 0;
  const int edge = (s.stored - s.side) / 2;
  for (int picture = 0; picture < s.count; ++picture) {
    for (int row = 0; row < s.side; ++row) {
      const std::size_t line = std::size_t(picture) * s.stored + edge + row;
      const std::uint8_t* from = bytes.data() + 3 * (line * s.stored + edge);
      for (int column = 0; column < s.side; ++column, ++i, from += 3) {
        const std::uint64_t first = table[0][from[0]] | table[1][from[1]] << 16;
        sum += first * (8 * i + 1) + table[2][from[2]] * (8 * i + 3);
      }
    }
  }
  return sum;
}

inline std::uint64_t next_state(std::uint64_t state, std::uint64_t sum, int rounds) {
  std::uint64_t x = state * 31 + sum + 1;
  for (int r = 0; r < rounds; ++r) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

// The sum of batch n of a run.
inline std::uint64_t sum_of(const Shape& shape, std::uint64_t run, int n) {
  std::vector<std::uint8_t> bytes(shape.bytes());
  fill(key_of(run, n), bytes.data(), bytes.size(), 0, words(bytes.size()));
  return input_sum(shape, bytes);
}

}  // namespace capstone
