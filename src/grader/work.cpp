#include "grader/work.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "grader/process.h"

namespace workbook::grader {

namespace {

fs::path keep_backup(const fs::path& work, const fs::path& relative) {
  std::tm now{};
  const std::time_t t = std::time(nullptr);
  ::localtime_r(&t, &now);
  const std::string when = fmt::format("{:%Y%m%d-%H%M%S}", now);
  fs::path backup;
  for (int i = 0;; ++i) {
    const std::string number = i == 0 ? "" : fmt::format("-{}", i);
    backup = work / ".backup" / relative.parent_path() /
             fmt::format("{}.{}{}{}", relative.stem().string(), when, number, relative.extension().string());
    if (!fs::exists(backup)) break;
  }
  copy_file_whole(work / relative, backup);
  return backup;
}

// git's three-way merge of mine and theirs over base. False when they conflict, or when there is no git to do
// it; `text` then holds the merge with its conflict marks, or theirs.
bool merged(const fs::path& mine, const fs::path& base, const fs::path& theirs, std::string& text) {
  if (find_program("git").empty()) {
    text = read_file(theirs).value_or("");
    return false;
  }
  Command command;
  command.arguments = {"git",          "merge-file",      "-p",          "-q",
                       "-L",           "yours",           "-L",          "the old starter",
                       "-L",           "the new starter", mine.string(), base.string(),
                       theirs.string()};
  const Ended ended = run(command);
  text = ended.output;
  if (ended.started && ended.signal == 0 && ended.exit_code >= 0 && ended.exit_code < 128)
    return ended.exit_code == 0;
  text = read_file(theirs).value_or("");
  return false;
}

void bring_one(const Workspace& space, const fs::path& relative, bool merge,
               std::vector<WorkChange>& changes) {
  const fs::path work = space.root / "work", mine = work / relative, base = work / ".base" / relative;
  const fs::path starter = space.root / "chapters" / relative;
  const std::string name = shown_path(mine, space.root);
  if (!fs::exists(mine)) {
    copy_file_whole(starter, mine);
    copy_file_whole(starter, base);
    changes.push_back({FileChange::made, name, ""});
    return;
  }
  const auto theirs = read_file(starter), old = read_file(base), yours = read_file(mine);
  if (!merge || !theirs || !yours || (old && *old == *theirs)) return;
  if (!old) {
    // No starter is known that this file came from: nothing to merge with, the next version will have one.
    copy_file_whole(starter, base);
    return;
  }
  if (*yours == *old) {
    copy_file_whole(starter, mine);
    changes.push_back({FileChange::renewed, name, ""});
  } else {
    std::string text;
    if (merged(mine, base, starter, text)) {
      const fs::path backup = keep_backup(work, relative);
      write_file(mine, text);
      changes.push_back({FileChange::merged, name, shown_path(backup, space.root)});
    } else {
      fs::path beside = mine;
      beside += ".new";
      write_file(beside, text);
      changes.push_back({FileChange::conflict, name, shown_path(beside, space.root)});
    }
  }
  copy_file_whole(starter, base);
}

}  // namespace

std::vector<WorkChange> bring_up_to_date(const Workspace& space, const std::vector<Exercise>& exercises,
                                         bool merge) {
  std::vector<WorkChange> changes;
  for (const auto& exercise : exercises) {
    for (const auto& file : exercise.files)
      bring_one(space, fs::path(exercise.chapter_folder) / file, merge, changes);
  }
  return changes;
}

std::vector<std::string> reset(const Workspace& space, const Exercise& exercise) {
  std::vector<std::string> kept;
  const fs::path work = space.root / "work";
  const bool untouched = is_untouched(space, exercise, work_of(space, exercise));
  for (const auto& file : exercise.files) {
    const fs::path relative = fs::path(exercise.chapter_folder) / file;
    if (!untouched && fs::exists(work / relative))
      kept.push_back(shown_path(keep_backup(work, relative), space.root));
    copy_file_whole(space.root / "chapters" / relative, work / relative);
    copy_file_whole(space.root / "chapters" / relative, work / ".base" / relative);
  }
  return kept;
}

}  // namespace workbook::grader
