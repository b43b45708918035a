#include "classroom/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "grader/files.h"
#include "grader/text_layout.h"

namespace workbook::classroom {

namespace {

using grader::wrapped;

struct Row {
  std::size_t passed = 0, handed_in = 0, graded = 0;
  double points = 0;
  std::map<std::string, std::size_t> reasons;  // of those that did not pass
};

const ExerciseGrade* find(const SubmissionGrade& s, const std::string& exercise) {
  for (const auto& e : s.exercises) {
    if (e.exercise == exercise) return &e;
  }
  return nullptr;
}

std::string reason_of(const ExerciseGrade& e) {
  return e.code.empty() ? e.status : fmt::format("{} ({})", e.status, e.code);
}

Row row_of(const Grades& grades, const std::string& exercise) {
  Row row;
  for (const auto& submission : grades.submissions) {
    const ExerciseGrade* e = find(submission, exercise);
    if (e == nullptr) continue;
    row.graded += e->graded ? 1 : 0;
    row.points += e->points;
    row.handed_in += e->status != "not handed in" && e->status != "not started" ? 1 : 0;
    if (e->status == "passed")
      ++row.passed;
    else if (e->status != "not handed in")
      ++row.reasons[reason_of(*e)];
  }
  return row;
}

std::string commonest(const std::map<std::string, std::size_t>& reasons) {
  std::vector<std::pair<std::string, std::size_t>> rows(reasons.begin(), reasons.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string out;
  for (std::size_t i = 0; i < rows.size() && i < 2; ++i)
    out += fmt::format("{}{} x {}", i == 0 ? "" : ", ", rows[i].second, rows[i].first);
  return out;
}

// So many columns, cut off with an ellipsis.
std::string fitted(const std::string& text, std::size_t columns) {
  if (grader::width_of(text) <= columns) return text + std::string(columns - grader::width_of(text), ' ');
  std::string cut = text;
  while (!cut.empty() && grader::width_of(cut) > columns - 1) {
    do cut.pop_back();
    while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xc0) == 0x80);
    if (!cut.empty() && static_cast<unsigned char>(cut.back()) >= 0xc0) cut.pop_back();
  }
  return cut + "…" + std::string(columns - 1 - grader::width_of(cut), ' ');
}

std::string exercise_table(const Grades& grades) {
  std::string out = "exercise                             passed  handed in  points  commonest failures\n";
  out += grader::rule(100) + "\n";
  for (const auto& exercise : grades.exercises) {
    const Row row = row_of(grades, exercise.exercise);
    const double mean =
        grades.submissions.empty() ? 0 : row.points / static_cast<double>(grades.submissions.size());
    out += fmt::format("{:<5}{} {:>6} {:>10} {:>7.1f}  {}\n", exercise.exercise, fitted(exercise.title, 31),
                       row.passed, row.handed_in, mean, commonest(row.reasons));
  }
  return out;
}

std::string points_line(const Grades& grades) {
  std::vector<double> all;
  for (const auto& s : grades.submissions) all.push_back(s.points);
  if (all.empty()) return "No submission was graded.\n";
  std::sort(all.begin(), all.end());
  const auto at = [&](double q) {
    return all[static_cast<std::size_t>(q * static_cast<double>(all.size() - 1) + 0.5)];
  };
  return fmt::format("Points of {:g}: median {:g}, quarters {:g} and {:g}, least {:g}, most {:g}.\n",
                     grades.submissions.front().max_points, at(0.5), at(0.25), at(0.75), all.front(),
                     all.back());
}

std::string list_of(const std::string& headline, const std::vector<std::string>& lines,
                    std::size_t most = 20) {
  if (lines.empty()) return {};
  std::string out = fmt::format("\n{} ({})\n", headline, lines.size());
  for (std::size_t i = 0; i < lines.size() && i < most; ++i)
    out += wrapped(lines[i], 100, "  ", "      ") + "\n";
  if (lines.size() > most)
    out += fmt::format("  and {} more; they are in grades.json\n", lines.size() - most);
  return out;
}

std::string to_look_at(const Grades& grades) {
  std::vector<std::string> attention, open, remarks, alike;
  for (const auto& s : grades.submissions) {
    for (const auto& e : s.exercises) {
      if (!e.attention.empty())
        attention.push_back(fmt::format("{}  {} {} ({})", s.name, e.exercise, e.attention, e.code));
      if (!e.graded) open.push_back(fmt::format("{}  {} {}: {}", s.name, e.exercise, e.status, e.why));
    }
    for (const auto& remark : s.remarks) remarks.push_back(fmt::format("{}  {}", s.name, remark));
  }
  for (const auto& pair : grades.similar)
    alike.push_back(fmt::format("{}  {} and {}: {:.0f} % of {} tokens", pair.exercise, pair.first,
                                pair.second, 100 * pair.share, pair.tokens));
  return list_of("Not graded; nobody's fault, and no zero", open) +
         list_of("Worth a look by a person", attention) + list_of("Files that were not taken", remarks) +
         list_of("Much alike; a hint, no verdict", alike);
}

}  // namespace

std::string summary_of(const Grades& grades, bool color) {
  std::string out =
      grader::colored(fmt::format("{} submission{}, {} exercises", grades.submissions.size(),
                                  grades.submissions.size() == 1 ? "" : "s", grades.exercises.size()),
                      grader::Color::bold, color) +
      "\n";
  out += fmt::format(
      "on {}, isolation: {}{}{}{}\n\n",
      grades.device == "gpu" ? "the GPU" : "the simulated device, " + grades.profile, grades.isolation,
      grades.filter ? " with a filter for system calls" : "",
      grades.isolation_why.empty() ? "" : fmt::format(" (not stronger: {})", grades.isolation_why),
      grades.secret_seed ? ", inputs from a secret seed" : "");
  return out + exercise_table(grades) + "\n" + points_line(grades) + to_look_at(grades);
}

std::string feedback_of(const ExerciseGrade& e) {
  std::string out;
  const auto line = [&](const std::string& text) {
    if (!text.empty()) out += text + "\n";
  };
  line(e.headline);
  for (const auto& evidence : e.evidence) line("  " + evidence);
  for (std::size_t i = 0; i < e.places.size() && i < 2; ++i)
    line(fmt::format("  {}:{}  {}", e.places[i].file, e.places[i].line, e.places[i].note));
  for (const auto& b : e.bounds) {
    if (b.limit_us > 0)
      line(fmt::format("  time {:.4g} us, bound {:.4g} us ({}; {}, {})", b.now_us, b.limit_us, b.rule,
                       b.modelled ? "modelled" : "measured", b.device));
  }
  line(e.compiler);
  if (!e.output.empty()) line("  the program printed:\n" + e.output.substr(0, 2000));
  line(e.question);
  if (!e.why.empty()) line(e.graded ? e.why : "not graded: " + e.why);
  return out;
}

std::string feedback_of(const Grades& grades, const SubmissionGrade& s) {
  std::string out = fmt::format("{}: {:g} of {:g} points ({})\n\n", s.name, s.points, s.max_points, s.state);
  for (const auto& e : s.exercises) {
    out += fmt::format("{:<5}{:<44} {:>16} {:>6g} of {:g}\n", e.exercise, fitted(e.title, 44), e.status,
                       e.points, e.max_points);
    if (e.status != "passed" && e.status != "not handed in") {
      for (const auto& line : grader::split_lines(feedback_of(e))) out += "       " + line + "\n";
    }
  }
  for (const auto& remark : s.remarks) out += "not taken: " + remark + "\n";
  return out + fmt::format("\ngraded on {}, isolation {}, workbook {}\n",
                           grades.device == "gpu" ? "a GPU" : "the simulated device " + grades.profile,
                           grades.isolation, grades.workbook);
}

}  // namespace workbook::classroom
