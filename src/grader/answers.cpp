#include "grader/answers.h"

#include <fmt/format.h>

#include <algorithm>

namespace workbook::grader {

namespace {

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.') && (entry.is_directory() || entry.path().extension() == ".cu"))
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
    answer.files.front() = entry;
  } else {
    for (std::size_t i = 0; i < exercise.files.size(); ++i) {
      const fs::path mine = entry / exercise.files[i];
      answer.files.push_back(fs::exists(mine) ? mine : solution.files[i]);
    }
  }
  if (exercise.files.size() > 1) answer.further = {solution.files.front().parent_path()};
  return answer;
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
    if (!line.starts_with("//")) {
      if (trimmed(line).empty()) continue;
      break;  // the comment block is over
    }
    const std::string words = trimmed(line.substr(2));
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
      expected.simulated_only = value.starts_with("simulated");
    else if (key == "verdict") {
      expected.verdict = verdict_from_name(value);
      if (!expected.verdict) expected.problem = fmt::format("'{}' is no verdict", value);
    }
  }
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
  all.push_back({AnswerKind::starter, "", "", {}, "", {}, false, "", starter_of(space, exercise)});
  all.push_back({AnswerKind::solution, "", "", {}, "", {}, false, "", solution_of(space, exercise)});
  const fs::path tests = space.root / "tests" / "exercises" / exercise.chapter_folder / exercise.stem;
  for (const auto kind : {AnswerKind::wrong, AnswerKind::right}) {
    for (const auto& entry : entries_of(tests / name_of(kind))) {
      Expected expected;
      expected.kind = kind;
      expected.name = entry.filename().string();
      expected.answer = answer_at(entry, space, exercise);
      const fs::path header = fs::is_directory(entry) ? expected.answer.files.front() : entry;
      read_expectation(read_file(header).value_or(""), expected);
      all.push_back(expected);
    }
  }
  return all;
}

}  // namespace workbook::grader
