#include "classroom/handout.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "grader/process.h"
#include "grader/work.h"

namespace workbook::classroom {

namespace fs = grader::fs;

namespace {

constexpr const char* left_out[] = {"solutions/",       "tests/",      "bench/",    ".ci/",  ".git/",
                                    ".build",           ".toolchain/", ".deps/",    "work/", "templates/",
                                    "docs/teachers.md", "site/",       ".gitignore"};

// Of the tests only what a check is built from.
bool is_part_of_a_check(const std::string& path) {
  if (path == "tests/CMakeLists.txt" || path == "tests/exercises/CMakeLists.txt") return true;
  if (!path.starts_with("tests/exercises/")) return false;
  return std::count(path.begin(), path.end(), '/') == 3 && (path.ends_with(".cpp") || path.ends_with(".h"));
}

bool belongs(const std::string& path) {
  if (is_part_of_a_check(path)) return true;
  return std::none_of(std::begin(left_out), std::end(left_out),
                      [&](const char* start) { return path.starts_with(start); });
}

// What git tracks; without git, every file that is none of a build.
std::vector<std::string> files_of(const fs::path& root) {
  grader::Command command;
  command.arguments = {"git", "-C", root.string(), "ls-files", "-z"};
  command.output_limit = std::size_t{64} << 20;
  const grader::Ended ended = grader::run(command);
  std::vector<std::string> files;
  if (ended.ok() && fs::exists(root / ".git")) {
    for (std::size_t at = 0; at < ended.output.size();) {
      const std::size_t end = std::min(ended.output.find('\0', at), ended.output.size());
      files.push_back(ended.output.substr(at, end - at));
      at = end + 1;
    }
    return files;
  }
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator();
       ++entry) {
    const std::string path = entry->path().lexically_relative(root).generic_string();
    const std::string name = entry->path().filename().string();
    const bool hidden = entry.depth() == 0 && name.starts_with(".") && name != ".clang-format";
    if (entry->is_directory() && (hidden || name == "__pycache__" || path == "work"))
      entry.disable_recursion_pending();
    if (entry->is_regular_file() && !hidden) files.push_back(path);
  }
  return files;
}

// Where a template's file belongs in a repository.
std::string place_of(const std::string& ci, const std::string& name) {
  if (ci == "github") return ".github/workflows/" + name;
  return name == "gitlab-ci.yml" ? ".gitlab-ci.yml" : name;
}

void add_templates(const fs::path& root, const fs::path& to, const std::string& ci) {
  const fs::path folder = root / "templates" / ci;
  if (ci != "github" && ci != "gitlab")
    throw std::runtime_error(
        fmt::format("--ci takes github or gitlab; '{}' is neither. The others lie in templates/.", ci));
  for (const auto& entry : fs::directory_iterator(folder))
    grader::copy_file_whole(entry.path(), to / place_of(ci, entry.path().filename().string()));
}

constexpr const char* ignored =
    "/.build/\n/.build-*/\n/.toolchain/\n/.deps/\n/work/.state.json\n/work/.backup/\n/grades/\n*.pyc\n";

}  // namespace

Handout make_handout(const fs::path& root, const fs::path& to, const std::vector<grader::Exercise>& exercises,
                     const std::vector<std::string>& ci) {
  std::error_code error;
  if (fs::exists(to) && (!fs::is_directory(to) || !fs::is_empty(to, error)))
    throw std::runtime_error(fmt::format("{} is there and not empty; name a new folder.", to.string()));
  Handout made;
  for (const auto& file : files_of(root)) {
    if (!belongs(file) || !fs::is_regular_file(root / file, error)) continue;
    grader::copy_file_whole(root / file, to / file);
    fs::permissions(to / file, fs::status(root / file).permissions(), error);
    ++made.files;
  }
  if (made.files == 0) throw std::runtime_error(fmt::format("{} holds no workbook.", root.string()));
  grader::write_file(to / ".gitignore", ignored);
  grader::write_file(to / "handout.json", nlohmann::json{{"schema", "workbook-handout/1"},
                                                         {"exercises", exercises.size()},
                                                         {"left_out", {"solutions", "answers", "tests"}}}
                                                  .dump(1) +
                                              "\n");
  for (const auto& name : ci) add_templates(root, to, name);
  grader::Workspace space;
  space.root = fs::absolute(to);
  for (const auto& change : grader::bring_up_to_date(space, exercises, false))
    made.files += change.file.empty() ? 0 : 1;
  made.exercises = exercises.size();
  return made;
}

}  // namespace workbook::classroom
