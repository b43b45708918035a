#include "classroom/similarity.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>

namespace workbook::classroom {

namespace {

constexpr std::size_t run = 12, least_fingerprints = 80, least_common = 3;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Behind the comment, or the text, that begins at `at`.
std::size_t behind_comment(std::string_view s, std::size_t at) {
  const bool line = s[at + 1] == '/';
  const std::size_t end = line ? s.find('\n', at) : s.find("*/", at + 2);
  return end == std::string_view::npos ? s.size() : end + (line ? 0 : 2);
}
std::size_t behind_text(std::string_view s, std::size_t at) {
  const char quote = s[at];
  for (++at; at < s.size() && s[at] != quote && s[at] != '\n'; ++at) at += s[at] == '\\' ? 1 : 0;
  return std::min(at + 1, s.size());
}

bool is_keyword(std::string_view word) {
  static const std::set<std::string_view> keywords{
      "if",       "else",       "for",          "while",    "do",     "return",     "switch",
      "case",     "break",      "continue",     "template", "struct", "__global__", "__device__",
      "__host__", "__shared__", "__restrict__", "const",    "auto",   "static",     "throw",
      "try",      "catch",      "sizeof",       "new",      "delete", "using",      "namespace"};
  return keywords.contains(word);
}

using Fingerprints = std::vector<std::uint64_t>;

Fingerprints fingerprints_of(std::string_view source) {
  const auto tokens = normalised_tokens(source);
  Fingerprints out;
  for (std::size_t i = 0; i + run <= tokens.size(); ++i) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t k = i; k < i + run; ++k)
      hash = (hash ^ std::hash<std::string>{}(tokens[k])) * 0x100000001b3;
    out.push_back(hash);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::size_t in_common(const Fingerprints& a, const Fingerprints& b) {
  std::size_t count = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) ++count;
    if (*i <= *j)
      ++i;
    else
      ++j;
  }
  return count;
}

}  // namespace

std::vector<std::string> normalised_tokens(std::string_view s) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < s.size();) {
    const char c = s[at];
    if (c == '/' && at + 1 < s.size() && (s[at + 1] == '/' || s[at + 1] == '*')) {
      at = behind_comment(s, at);
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
    } else if (c == '"' || c == '\'') {
      at = behind_text(s, at);
      tokens.emplace_back("S");
    } else if (is_word(c)) {
      const std::size_t begin = at;
      const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
      while (at < s.size() && (is_word(s[at]) || (number && (s[at] == '.' || s[at] == '\'')))) ++at;
      const std::string_view word = s.substr(begin, at - begin);
      tokens.emplace_back(number ? "N" : is_keyword(word) ? word : "I");
    } else {
      tokens.emplace_back(1, c);
      ++at;
    }
  }
  return tokens;
}

std::vector<Alike> alike_answers(const std::string& starter, const std::vector<Written>& answers,
                                 double at_least) {
  const Fingerprints given = fingerprints_of(starter);
  std::vector<Fingerprints> prints;
  std::map<std::uint64_t, std::size_t> holders;
  for (const auto& answer : answers) {
    const Fingerprints all = fingerprints_of(answer.text);
    Fingerprints own;
    std::set_difference(all.begin(), all.end(), given.begin(), given.end(), std::back_inserter(own));
    for (const auto print : own) ++holders[print];
    prints.push_back(std::move(own));
  }
  const std::size_t most_holders = std::max(least_common, answers.size() / 3);
  for (auto& own : prints)
    std::erase_if(own, [&](std::uint64_t print) { return holders[print] > most_holders; });

  std::vector<Alike> found;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (std::size_t j = i + 1; j < answers.size(); ++j) {
      const std::size_t shorter = std::min(prints[i].size(), prints[j].size());
      if (shorter < least_fingerprints) continue;
      const double share =
          static_cast<double>(in_common(prints[i], prints[j])) / static_cast<double>(shorter);
      if (share >= at_least) found.push_back({i, j, share, shorter + run - 1});
    }
  }
  std::sort(found.begin(), found.end(), [](const Alike& a, const Alike& b) { return a.share > b.share; });
  return found;
}

}  // namespace workbook::classroom
