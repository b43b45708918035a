// CSV after RFC 4180, in UTF-8: long, a line for each exercise of each submission; wide, a line for each
// submission, as gradebooks map it.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "classroom/formats.h"

namespace workbook::classroom {

namespace {

// Quoted; a text that a spreadsheet would take for a formula gets an apostrophe in front.
std::string field(const std::string& text, std::size_t most = 500) {
  std::string clean = harmless(text, most);
  for (char& c : clean) c = c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
  // Also behind blanks, and in full width: =, +, -, @ as East Asian keyboards have them.
  const std::string_view begin =
      std::string_view(clean).substr(std::min(clean.find_first_not_of(' '), clean.size()));
  for (const char* formula : {"=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"}) {
    if (!begin.starts_with(formula)) continue;
    clean.insert(0, "'");
    break;
  }
  std::string out = "\"";
  for (const char c : clean) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string points(const ExerciseGrade& e) {
  return e.graded ? fmt::format("{:g}", e.points) : "";  // an empty cell is no zero
}

}  // namespace

std::string csv_long(const Grades& grades) {
  std::string out = "student_id,exercise,points,max_points,status,timestamp,attempt,comment\r\n";
  for (const auto& s : grades.submissions) {
    for (const auto& e : s.exercises)
      out += fmt::format("{},{},{},{:g},{},{},1,{}\r\n", field(s.name), field(e.exercise), points(e),
                         e.max_points, field(e.status), field(grades.finished),
                         field(e.graded ? e.headline : e.why));
  }
  return out;
}

std::string csv_wide(const Grades& grades) {
  std::string out = "email";
  for (const auto& e : grades.exercises) out += "," + field(e.exercise + " " + e.title);
  out += ",\"total\",\"state\"\r\n";
  for (const auto& s : grades.submissions) {
    out += field(s.name);
    for (const auto& e : s.exercises) out += "," + points(e);
    out += fmt::format(",{:g},{}\r\n", s.points, field(s.state));
  }
  return out;
}

}  // namespace workbook::classroom
