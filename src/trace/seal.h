// Seals on what a runner tells the judge: the lines of a trace, and the text of an answer.
//
// The learner's code shares the runner's process, and a process may write to every descriptor that it holds.
// So each line carries a keyed hash of its text and its number (SipHash-2-4). The key reaches the process in
// an environment variable, which is taken and wiped before the learner's first static constructor runs. A
// line that somebody else wrote, changed or left out shows. This is no vault: code that reads its own memory
// can find the key. It makes a forger work, and makes carelessness impossible to mistake for forgery.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace workbook::trace {

struct SealKey {
  std::uint64_t first = 0, second = 0;
};

SealKey random_seal_key();  // throws std::runtime_error
std::string to_text(const SealKey& key);
std::optional<SealKey> seal_key_from_text(std::string_view text);

std::uint64_t seal_of(const SealKey& key, std::uint64_t number, std::string_view text);

// The key in that variable; the variable is gone afterwards, from /proc/self/environ too.
std::optional<SealKey> take_seal_key(const char* variable);

// A sealed line: the text, a tab, 16 hexadecimal digits.
std::string sealed_line(const SealKey& key, std::uint64_t number, std::string_view text);

struct Unsealed {
  std::string text;            // the lines without their seals
  std::uint64_t next = 0;      // number of the line that comes after them
  std::uint64_t bad_line = 0;  // counted from 1, in this text; 0: all are as they should be
};
// A torn last line is left out. Stops at the first line whose seal does not fit.
Unsealed unsealed(const SealKey& key, std::uint64_t first_number, std::string_view lines);

inline constexpr const char* trace_key_variable = "WORKBOOK_TRACE_KEY";
inline constexpr const char* answer_key_variable = "WORKBOOK_ANSWER_KEY";

}  // namespace workbook::trace
