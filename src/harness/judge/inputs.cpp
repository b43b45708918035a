#include "workbook/inputs.h"

#include <algorithm>

#include "harness/judge/cases.h"
#include "harness/judge/conditions.h"
#include "harness/judge/options.h"

namespace workbook {

namespace {

// FNV-1a, so that the streams are the same with every standard library.
std::uint64_t mixed(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return (hash ^ 0xff) * 0x100000001b3;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  for (int i = 0; i < 8; ++i, value >>= 8) hash = (hash ^ (value & 0xff)) * 0x100000001b3;
  return hash;
}

// In [0, 1); the standard's distributions differ between libraries.
double unit(std::mt19937_64& engine) {
  return static_cast<double>(engine() >> 11) * 0x1p-53;
}

std::int64_t between(std::mt19937_64& engine, std::int64_t low, std::int64_t high) {
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t drawn = span == 0 ? engine() : engine() % span;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + drawn);
}

template <class T>
std::vector<T> reals(std::mt19937_64 engine, std::size_t n, T low, T high) {
  std::vector<T> values(n);
  for (T& value : values) {
    do {
      value = static_cast<T>(low + (high - low) * unit(engine));
    } while (value == T{0} && low != high);
  }
  return values;
}

// Sizes that nobody can prepare for: some small, some with a rest behind a block, some large. Empty, unless
// the conditions of a grading ask for them.
std::vector<int> hidden_sizes(int block) {
  std::mt19937_64 engine(mixed(mixed(0xcbf29ce484222325, run_seed()), "hidden sizes"));
  std::vector<int> sizes;
  for (int i = 0; i < judge::conditions().hidden_sizes; ++i) {
    const int blocks = static_cast<int>(between(engine, i % 3 == 0 ? 0 : 1, i % 3 == 2 ? 200 : 12));
    sizes.push_back(blocks * block + static_cast<int>(between(engine, 1, std::max(1, block - 1))));
  }
  return sizes;
}

}  // namespace

std::vector<int> awkward_sizes(int block) {
  std::vector<int> sizes{0, 1, 31, 32, 33, block - 1, block, block + 1, 2 * block + 1, 1000, 5003, 100'003};
  for (const int size : hidden_sizes(block)) sizes.push_back(size);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  sizes.erase(sizes.begin(), std::lower_bound(sizes.begin(), sizes.end(), 0));
  return sizes;
}

std::vector<Size2D> awkward_sizes_2d(int block_x, int block_y) {
  std::vector<Size2D> sizes{{1, 1}, {1, 307}, {307, 1}, {37, 1000}, {1000, 37}, {101, 211}};
  const std::vector<int> hidden = hidden_sizes(block_x);
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    const int other = 1 + static_cast<int>((std::int64_t{hidden[i]} * 7 + block_y) % 257);
    sizes.push_back(i % 2 == 0 ? Size2D{hidden[i] % 1021 + 1, other} : Size2D{other, hidden[i] % 1021 + 1});
  }
  for (const int dx : {-1, 0, 1}) {
    for (const int dy : {-1, 0, 1}) sizes.push_back({block_x + dx, block_y + dy});
  }
  std::vector<Size2D> distinct;
  for (const Size2D size : sizes) {
    const bool known = std::any_of(distinct.begin(), distinct.end(), [&](Size2D other) {
      return other.width == size.width && other.height == size.height;
    });
    if (!known && size.width > 0 && size.height > 0) distinct.push_back(size);
  }
  return distinct;
}

std::uint64_t run_seed() {
  return judge::options().seed;
}

Inputs::Inputs(std::uint64_t salt) : salt_(salt) {}

std::mt19937_64 Inputs::engine(std::string_view name) const {
  std::uint64_t hash = mixed(0xcbf29ce484222325, run_seed());
  hash = mixed(hash, judge::current_case().name);
  hash = mixed(hash, salt_);
  return std::mt19937_64(mixed(hash, name));
}

std::vector<float> Inputs::floats(std::string_view name, std::size_t n, float low, float high) {
  return reals<float>(engine(name), n, low, high);
}

std::vector<double> Inputs::doubles(std::string_view name, std::size_t n, double low, double high) {
  return reals<double>(engine(name), n, low, high);
}

std::vector<std::int32_t> Inputs::ints(std::string_view name, std::size_t n, std::int32_t low,
                                       std::int32_t high) {
  auto from = engine(name);
  std::vector<std::int32_t> values(n);
  for (auto& value : values) value = static_cast<std::int32_t>(between(from, low, high));
  return values;
}

std::vector<std::uint8_t> Inputs::bytes(std::string_view name, std::size_t n) {
  auto from = engine(name);
  std::vector<std::uint8_t> values(n);
  for (auto& value : values) value = static_cast<std::uint8_t>(from() >> 56);
  return values;
}

std::int64_t Inputs::one_of(std::string_view name, std::int64_t low, std::int64_t high) {
  auto from = engine(name);
  return between(from, low, high);
}

}  // namespace workbook
