#include "case.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace workbook::ptx_tests {

namespace {

// A float's value from its bit pattern, and the reverse.
double value_of(const std::string& type, std::uint64_t bits) {
  if (type == "f64") {
    double d;
    std::memcpy(&d, &bits, 8);
    return d;
  }
  const auto low = static_cast<std::uint32_t>(bits);
  float f;
  std::memcpy(&f, &low, 4);
  return f;
}

std::size_t bytes_of(const std::string& type) {
  for (const char* known : {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"})
    if (type == known) return static_cast<std::size_t>(std::stoi(type.substr(1))) / 8;
  throw std::runtime_error("unknown type: " + type);
}

std::uint64_t pattern(const std::string& type, const std::string& text) {
  if (text.rfind("0x", 0) == 0) return std::stoull(text, nullptr, 16);
  if (type == "f32") {
    const float f = std::stof(text);
    std::uint32_t bits;
    std::memcpy(&bits, &f, 4);
    return bits;
  }
  if (type == "f64") {
    const double d = std::stod(text);
    std::uint64_t bits;
    std::memcpy(&bits, &d, 8);
    return bits;
  }
  const std::uint64_t v = text[0] == '-' ? static_cast<std::uint64_t>(std::stoll(text)) : std::stoull(text);
  const std::size_t size = bytes_of(type);
  return size == 8 ? v : v & ((1ull << 8 * size) - 1);
}

bool is_float(const std::string& type) {
  return type[0] == 'f';
}

std::string rest_of(std::istringstream& words) {
  std::string s, made;
  std::getline(words >> std::ws, s);
  for (std::size_t at = 0; at < s.size(); ++at) {
    const bool line_end = s.compare(at, 2, "\\n") == 0;
    made += line_end ? '\n' : s[at];
    if (line_end) ++at;
  }
  return made;
}

std::array<std::uint32_t, 3> shape(const std::string& text) {
  std::array<std::uint32_t, 3> d{1, 1, 1};
  std::sscanf(text.c_str(), "%u,%u,%u", &d[0], &d[1], &d[2]);
  return d;
}

class Reader {
 public:
  explicit Reader(Case& c) : c_(c) {}

  void directive(const std::string& line) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (!launch(what, words) && !buffer(what, words) && !outcome(what, words))
      throw std::runtime_error("unknown: " + line);
  }

 private:
  bool launch(const std::string& what, std::istringstream& words) {
    std::string type, value;
    if (what == "shows") {
      for (std::string word; words >> word;) c_.shows.push_back(word);
    } else if (what == "launch") {
      for (std::string word; words >> word;) launch_word(word);
    } else if (what == "scalar") {
      words >> type >> value;
      const std::size_t size = bytes_of(type);
      c_.parameters.push_back({false, pattern(type, value), size});
    } else if (what == "gpu") {
      words >> value;
      if (value != "error" && value != "skip") return false;
      c_.on_gpu = value == "error" ? OnGpu::error : OnGpu::skip;
      c_.why_not_on_gpu = rest_of(words);
      if (value == "skip" && c_.why_not_on_gpu.empty())
        throw std::runtime_error("`gpu skip` needs its reason");
    } else {
      return false;
    }
    return true;
  }

  void launch_word(const std::string& word) {
    const std::string key = word.substr(0, word.find('=')), value = word.substr(word.find('=') + 1);
    if (key == "grid")
      c_.grid = shape(value);
    else if (key == "block")
      c_.block = shape(value);
    else if (key == "shared")
      c_.shared = static_cast<std::uint32_t>(std::stoul(value));
    else if (word == "cooperative")
      c_.cooperative = true;
    else
      throw std::runtime_error("unknown word of launch: " + word);
  }

  bool buffer(const std::string& what, std::istringstream& words) {
    if (what == "in" || what == "out") {
      Buffer b;
      words >> b.type;
      if (what == "in") {
        std::vector<bool> nan;
        read_values(b.type, words, b.values, nan);
        b.count = b.values.size();
        b.initialised = true;
      } else {
        words >> b.count;
      }
      c_.parameters.push_back({true, c_.buffers.size(), 8});
      c_.buffers.push_back(b);
      return true;
    }
    if (what != "is" && what != "holds" && what != "near") return false;
    if (c_.buffers.empty()) throw std::runtime_error("no buffer before `" + what + "`");
    Buffer& b = c_.buffers.back();
    b.match = what == "is"      ? Buffer::Match::exact
              : what == "holds" ? Buffer::Match::any_order
                                : Buffer::Match::near;
    if (what == "near" && !(words >> b.tolerance)) throw std::runtime_error("`near` needs a tolerance");
    read_values(b.type, words, b.expected, b.any_nan);
    if (b.expected.size() > b.count) throw std::runtime_error("more values than the buffer has elements");
    return true;
  }

  static void read_values(const std::string& type, std::istringstream& words,
                          std::vector<std::uint64_t>& list, std::vector<bool>& nan) {
    for (std::string word; words >> word;) {
      const std::size_t star = word.find('*');
      const std::size_t times = star == std::string::npos ? 1 : std::stoul(word.substr(star + 1));
      word = word.substr(0, star);
      list.insert(list.end(), times, word == "nan" ? 0 : pattern(type, word));
      nan.insert(nan.end(), times, word == "nan");
    }
  }

  bool outcome(const std::string& what, std::istringstream& words) {
    if (what == "fault") {
      words >> c_.fault;
      for (std::string word; words >> word;)
        c_.where[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    } else if (what == "says") {
      c_.says = rest_of(words);
    } else if (what == "prints") {
      c_.prints = rest_of(words);
    } else if (what == "unsupported") {
      c_.unsupported = rest_of(words);
    } else if (what == "counter") {
      std::string name;
      std::uint64_t value = 0;
      words >> name >> value;
      c_.counters.emplace_back(name, value);
    } else {
      return false;
    }
    return true;
  }

  Case& c_;
};

std::string first_kernel(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t comment = line.find("//"), at = line.find(".entry ");
    if (at == std::string::npos || comment < at) continue;
    const std::size_t begin = line.find_first_not_of(' ', at + 7);
    return line.substr(begin, line.find_first_of(" ({\r", begin) - begin);
  }
  throw std::runtime_error("no kernel (.entry) in it");
}

std::string hex(std::uint64_t v) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v));
  return text;
}

}  // namespace

std::size_t Buffer::element_bytes() const {
  return bytes_of(type);
}

std::string Buffer::difference(const std::vector<std::byte>& got) const {
  std::vector<std::uint64_t> found(expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    std::memcpy(&found[k], got.data() + k * element_bytes(), element_bytes());
  std::vector<std::uint64_t> wanted = expected;
  if (match == Match::any_order) {
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
  }
  std::string text;
  int wrong = 0;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    bool same = found[k] == wanted[k];
    if (any_nan[k]) same = is_float(type) && std::isnan(value_of(type, found[k]));
    if (match == Match::near && !any_nan[k]) {
      const double f = value_of(type, found[k]), w = value_of(type, wanted[k]);
      same = found[k] == wanted[k] || std::abs(f - w) <= tolerance * std::max(1.0, std::abs(w));
    }
    if (same || ++wrong > 4) continue;
    text += (text.empty() ? "" : "; ") + std::string("element ") + std::to_string(k) + ": got " +
            hex(found[k]) + ", expected " + (any_nan[k] ? "a NaN" : hex(wanted[k]));
  }
  return wrong > 4 ? text + "; and " + std::to_string(wrong - 4) + " more" : text;
}

std::vector<std::byte> Case::parameter_block() const {
  std::vector<std::byte> bytes;
  for (const Parameter& p : parameters) {
    const std::uint64_t value = p.is_buffer ? buffers[p.value].address : p.value;
    const std::size_t at = (bytes.size() + p.size - 1) / p.size * p.size;
    bytes.resize(at + p.size);
    std::memcpy(bytes.data() + at, &value, p.size);
  }
  return bytes;
}

Case read_case(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  Case c;
  c.text = text.str();
  std::istringstream lines(c.text);
  int number = 0;
  try {
    Reader reader(c);
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.rfind("//!", 0) == 0) reader.directive(line.substr(3));
    }
    c.kernel = first_kernel(c.text);
  } catch (const std::exception& e) {
    throw std::runtime_error(path.string() + ":" + std::to_string(number) + ": " + e.what());
  }
  return c;
}

std::string digest_of(const std::string& text) {
  std::uint64_t digest = 0xcbf29ce484222325u;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("//", 0) == 0 && (line.rfind("//!", 0) != 0 || line.rfind("//! shows", 0) == 0)) continue;
    for (const char c : line + '\n') digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hex(digest);
}

std::vector<std::filesystem::path> find_cases(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace workbook::ptx_tests
