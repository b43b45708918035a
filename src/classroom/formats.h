// The grades in the formats that other systems read. Each is made from `Grades` alone; what came from a
// submission is made harmless on the way: control characters become visible pictures of themselves, lengths
// are bounded, and a spreadsheet finds no formula.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "classroom/grades.h"

namespace workbook::classroom {

struct FormatFile {
  std::string name;  // relative to the output folder
  std::string content;
};

// junit, gradescope, classroom50, github-classroom, prairielearn, autolab, csv, csv-wide
const std::vector<std::string>& format_names();

// Formats that know one submission make a file for each. Throws std::invalid_argument for an unknown name.
std::vector<FormatFile> in_format(const std::string& format, const Grades&);

// ---- for the formats' own files ----
std::string harmless(std::string_view text, std::size_t most_bytes = 20'000);
std::string base64(std::string_view bytes);
std::string junit(const Grades&);
std::string gradescope(const Grades&, const SubmissionGrade&);
std::string classroom50(const Grades&, const SubmissionGrade&);
std::string github_classroom(const Grades&, const SubmissionGrade&);
std::string prairielearn(const Grades&, const SubmissionGrade&);
std::string autolab(const Grades&, const SubmissionGrade&);
std::string csv_long(const Grades&);
std::string csv_wide(const Grades&);

}  // namespace workbook::classroom
