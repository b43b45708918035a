#include "classroom/formats.h"

#include <fmt/format.h>

#include <functional>
#include <stdexcept>

#include "grader/text_layout.h"

namespace workbook::classroom {

namespace {

using OfOne = std::string (*)(const Grades&, const SubmissionGrade&);
using OfAll = std::string (*)(const Grades&);

struct Format {
  std::string name;
  std::string file;  // of a single submission, or of all
  OfOne of_one = nullptr;
  OfAll of_all = nullptr;
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {"junit", "junit.xml", nullptr, junit},
      {"gradescope", "results.json", gradescope, nullptr},
      {"classroom50", "result.json", classroom50, nullptr},
      {"github-classroom", "result.txt", github_classroom, nullptr},
      {"prairielearn", "results.json", prairielearn, nullptr},
      {"autolab", "autolab.txt", autolab, nullptr},
      {"csv", "grades.csv", nullptr, csv_long},
      {"csv-wide", "grades-wide.csv", nullptr, csv_wide},
  };
  return all;
}

}  // namespace

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const auto& f : formats()) out.push_back(f.name);
    return out;
  }();
  return names;
}

std::vector<FormatFile> in_format(const std::string& name, const Grades& grades) {
  for (const auto& format : formats()) {
    if (format.name != name) continue;
    if (format.of_all != nullptr) return {{format.file, format.of_all(grades)}};
    if (grades.submissions.size() == 1)
      return {{name + "/" + format.file, format.of_one(grades, grades.submissions.front())}};
    std::vector<FormatFile> files;
    const std::string end = format.file.substr(format.file.rfind('.'));
    for (const auto& s : grades.submissions)
      files.push_back({name + "/" + s.id + end, format.of_one(grades, s)});
    return files;
  }
  throw std::invalid_argument(
      fmt::format("There is no format '{}'; there are {}.", name, fmt::join(format_names(), ", ")));
}

std::string harmless(std::string_view text, std::size_t most_bytes) {
  const bool cut = text.size() > most_bytes;
  std::string out = grader::printable(text.substr(0, most_bytes));
  // U+FFFE and U+FFFF are no characters: XML refuses them.
  for (const char* bad : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (std::size_t at = out.find(bad); at != std::string::npos; at = out.find(bad, at + 3))
      out.replace(at, 3, "\xef\xbf\xbd");
  }
  return cut ? out + "\n[cut]" : out;
}

std::string base64(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

}  // namespace workbook::classroom
