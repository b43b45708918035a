#include "trace/seal.h"

#include <sys/random.h>

#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace workbook::trace {

namespace {

struct SipState {
  std::uint64_t v0, v1, v2, v3;
  explicit SipState(const SealKey& key)
      : v0(0x736f6d6570736575 ^ key.first),
        v1(0x646f72616e646f6d ^ key.second),
        v2(0x6c7967656e657261 ^ key.first),
        v3(0x7465646279746573 ^ key.second) {}
  void round() {
    v0 += v1, v1 = std::rotl(v1, 13), v1 ^= v0, v0 = std::rotl(v0, 32);
    v2 += v3, v3 = std::rotl(v3, 16), v3 ^= v2;
    v0 += v3, v3 = std::rotl(v3, 21), v3 ^= v0;
    v2 += v1, v1 = std::rotl(v1, 17), v1 ^= v2, v2 = std::rotl(v2, 32);
  }
  void take(std::uint64_t word) {
    v3 ^= word;
    round(), round();
    v0 ^= word;
  }
};

constexpr std::size_t seal_digits = 16;

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size() || text.size() != seal_digits)
    return std::nullopt;
  return value;
}

std::string in_digits(std::uint64_t value) {
  char digits[seal_digits + 1];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value));
  return digits;
}

}  // namespace

SealKey random_seal_key() {
  SealKey key;
  if (getrandom(&key, sizeof key, 0) != sizeof key)
    throw std::runtime_error("no random numbers from the system");
  return key;
}

std::string to_text(const SealKey& key) {
  return in_digits(key.first) + in_digits(key.second);
}

std::optional<SealKey> seal_key_from_text(std::string_view text) {
  if (text.size() != 2 * seal_digits) return std::nullopt;
  const auto first = hexadecimal(text.substr(0, seal_digits)), second = hexadecimal(text.substr(seal_digits));
  if (!first || !second) return std::nullopt;
  return SealKey{*first, *second};
}

std::uint64_t seal_of(const SealKey& key, std::uint64_t number, std::string_view text) {
  SipState state(key);
  state.take(number);
  const std::uint64_t length = text.size();
  std::uint64_t word = 0;
  for (; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    state.take(word);
  }
  word = length << 56;
  for (std::size_t i = 0; i < text.size(); ++i)
    word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  state.take(word);
  state.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) state.round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

std::optional<SealKey> take_seal_key(const char* variable) {
  char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const auto key = seal_key_from_text(text);
  std::memset(text, '0', std::strlen(text));
  unsetenv(variable);
  return key;
}

std::string sealed_line(const SealKey& key, std::uint64_t number, std::string_view text) {
  return std::string(text) + '\t' + in_digits(seal_of(key, number, text)) + '\n';
}

Unsealed unsealed(const SealKey& key, std::uint64_t first_number, std::string_view lines) {
  Unsealed out;
  out.next = first_number;
  out.text.reserve(lines.size());
  for (std::uint64_t line = 1;; ++line) {
    const std::size_t end = lines.find('\n');
    if (end == std::string_view::npos) return out;
    const std::string_view whole = lines.substr(0, end);
    lines.remove_prefix(end + 1);
    const std::size_t tab = whole.rfind('\t');
    const auto seal = tab == std::string_view::npos ? std::nullopt : hexadecimal(whole.substr(tab + 1));
    if (!seal || *seal != seal_of(key, out.next, whole.substr(0, tab))) {
      out.bad_line = line;
      return out;
    }
    out.text.append(whole.substr(0, tab)).push_back('\n');
    ++out.next;
  }
}

}  // namespace workbook::trace
