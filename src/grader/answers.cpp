#include "grader/answers.h"

#include <fmt/format.h>

#include <algorithm>

namespace workbook::grader {

namespace {

// The place of the exercise's file for which this one can stand, by its ending; nothing for none.
std::optional<std::size_t> place_of(const fs::path& file, const Exercise& exercise) {
  for (std::size_t i = 0; i < exercise.files.size(); ++i) {
    if (fs::path(exercise.files[i]).extension() == file.extension()) return i;
  }
  return std::nullopt;
}

std::vector<fs::path> entries_of(const fs::path& folder, const Exercise& exercise) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.') && (entry.is_directory() || place_of(entry.path(), exercise)))
      entries.push_back(entry.path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

// The files of an answer. In a folder, those that are not there are the solution's.
Answer answer_at(const fs::path& entry, const Workspace& space, const Exercise& exercise) {
  const Answer solution = solution_of(space, exercise);
  Answer answer;
  answer.name = shown_path(entry, space.root);
  if (!fs::is_directory(entry)) {
    answer.files = solution.files;
    answer.files[place_of(entry, exercise).value()] = entry;
  } else {
    for (std::size_t i = 0; i < exercise.files.size(); ++i) {
      const fs::path mine = entry / exercise.files[i];
      answer.files.push_back(fs::exists(mine) ? mine : solution.files[i]);
    }
  }
  if (exercise.files.size() > 1) answer.further = {solution.files.front().parent_path()};
  return answer;
}

// A header of its own is found by the sources beside it only.
std::string trouble_in(const fs::path& folder, const Answer& answer) {
  bool header = false;
  for (const auto& file : answer.files)
    header = header || (file.extension() == ".h" && file.parent_path() == folder);
  for (const auto& file : answer.files) {
    const bool source = file.extension() == ".cu" || file.extension() == ".cpp";
    if (header && source && file.parent_path() != folder)
      return fmt::format("it brings a header, so it must bring {} too", file.filename().string());
  }
  return {};
}

// The file with the comment: the first that the folder brings.
fs::path header_of(const fs::path& entry, const Answer& answer) {
  if (!fs::is_directory(entry)) return entry;
  for (const auto& file : answer.files) {
    if (file.parent_path() == entry) return file;
  }
  return answer.files.front();
}

}  // namespace

const char* name_of(AnswerKind kind) {
  switch (kind) {
    case AnswerKind::starter:
      return "starter";
    case AnswerKind::solution:
      return "solution";
    case AnswerKind::wrong:
      return "wrong";
    case AnswerKind::right:
      return "right";
  }
  return "?";
}

void read_expectation(const std::string& text, Expected& expected) {
  for (const auto& line : split_lines(text)) {
    const std::size_t mark = line.starts_with("//") ? 2 : line.starts_with('#') ? 1 : 0;
    if (mark == 0 || line.starts_with("#include") || line.starts_with("#pragma")) {
      if (trimmed(line).empty()) continue;
      break;  // the comment block is over
    }
    const std::string words = trimmed(line.substr(mark));
    const std::size_t colon = words.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = words.substr(0, colon), value = trimmed(words.substr(colon + 1));
    if (key == "wrong" || key == "right")
      expected.about = value;
    else if (key == "code")
      expected.code = value;
    else if (key == "message")
      expected.messages.push_back(value);
    else if (key == "seen")
      expected.seen_by = value.substr(0, value.find_first_of(" (,;"));
    else if (key == "verdict") {
      expected.verdict = verdict_from_name(value);
      if (!expected.verdict) expected.problem = fmt::format("'{}' is no verdict", value);
    }
  }
  if (!expected.seen_by.empty() && expected.seen_by != "simulated" && expected.seen_by != "gpu")
    expected.problem = fmt::format("'{}' is no device; seen: simulated, or seen: gpu", expected.seen_by);
  if (expected.about.empty())
    expected.problem = fmt::format("the header has no line '// {}: ...'", name_of(expected.kind));
  if (expected.kind != AnswerKind::wrong || !expected.problem.empty()) return;
  if (!expected.verdict)
    expected.problem = "the header has no line '// verdict: ...'";
  else if (expected.messages.empty())
    expected.problem = "the header has no line '// message: ...'";
}

std::vector<Expected> expectations_of(const Workspace& space, const Exercise& exercise) {
  std::vector<Expected> all;
  all.push_back({AnswerKind::starter, "", "", {}, "", {}, "", "", starter_of(space, exercise)});
  all.push_back({AnswerKind::solution, "", "", {}, "", {}, "", "", solution_of(space, exercise)});
  const fs::path tests = space.root / "tests" / "exercises" / exercise.chapter_folder / exercise.stem;
  for (const auto kind : {AnswerKind::wrong, AnswerKind::right}) {
    for (const auto& entry : entries_of(tests / name_of(kind), exercise)) {
      Expected expected;
      expected.kind = kind;
      expected.name = entry.filename().string();
      expected.answer = answer_at(entry, space, exercise);
      read_expectation(read_file(header_of(entry, expected.answer)).value_or(""), expected);
      const std::string trouble = fs::is_directory(entry) ? trouble_in(entry, expected.answer) : "";
      if (!trouble.empty()) expected.problem = trouble;
      all.push_back(expected);
    }
  }
  return all;
}

}  // namespace workbook::grader
