// start, update, list, hint, solution, reset.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "grader/process.h"
#include "grader/work.h"

namespace workbook::cli {

namespace {

using grader::Exercise;
using grader::FileChange;

void tell_changes(const std::vector<grader::WorkChange>& changes) {
  int made = 0;
  for (const auto& c : changes) {
    switch (c.change) {
      case FileChange::made:
        ++made;
        break;
      case FileChange::renewed:
        fmt::print("  {}: the new starter (you had not begun)\n", c.file);
        break;
      case FileChange::merged:
        fmt::print("  {}: your work and the new starter, merged\n    yours as it was: {}\n", c.file,
                   c.beside);
        break;
      case FileChange::conflict:
        fmt::print(
            "  {}: left as it is; it and the new starter changed the same lines\n    the attempt to merge: "
            "{}\n",
            c.file, c.beside);
        break;
      case FileChange::kept:
        break;
    }
  }
  if (made != 0) fmt::print("  {} {} made in work/\n", made, made == 1 ? "file" : "files");
}

const char* mark_of(Context& context, const Exercise& exercise) {
  if (context.state().solved(exercise.id)) return "solved";
  const auto answer = grader::work_of({context.root(), context.build(), {}}, exercise);
  if (!fs::exists(answer.files.front())) return "";
  return grader::is_untouched({context.root(), context.build(), {}}, exercise, answer) ? "" : "begun";
}

const Exercise& need_current(Context& context, const std::string& name) {
  const Exercise* exercise = context.named_or_current(name);
  if (exercise == nullptr)
    throw UsageError(fmt::format("All exercises are solved; name one: {} list", context.command()));
  return *exercise;
}

}  // namespace

int start(Context& context) {
  const bool first_time = !context.work_exists();
  const auto& space = context.space();
  if (first_time) fmt::print("Welcome to the CUDA Workbook.\n\n");
  tell_changes(grader::bring_up_to_date(space, context.exercises(), true));
  const Exercise* exercise = grader::current_exercise(context.exercises(), context.state());
  if (exercise == nullptr) {
    fmt::print("All {} exercises are solved. {} list shows them.\n", context.exercises().size(),
               context.command());
    return grader::exit_passed;
  }
  const std::string lesson = fmt::format("chapters/{}/README.md", exercise->chapter_folder);
  if (fs::exists(context.root() / lesson)) fmt::print("  The lesson:    {}\n", lesson);
  fmt::print("  The exercise:  work/{}/{}\n", exercise->chapter_folder, exercise->files.front());
  fmt::print("  Then type:     {}      (it checks again whenever you save)\n\n", context.command());
  std::fflush(stdout);
  const auto options = context.check_options("auto");
  auto page = context.page_options();
  grader::Verdict verdict;
  {
    const Progress progress(fmt::format("checking {}", exercise->id));
    verdict = check_work(context, *exercise, options, page);
  }
  if (grader::interrupted()) return 130;
  fmt::print("{}", grader::render(verdict, page));
  // Set-up succeeded when the check could say something; that the exercise is still to do is no failure of
  // `start`.
  return verdict.kind == grader::VerdictKind::grader_error ? grader::exit_machine : grader::exit_passed;
}

int update(Context& context, bool merge_only) {
  if (!merge_only) {
    grader::Command git;
    git.folder = context.root();
    git.environment = {{"GIT_TERMINAL_PROMPT", "0"}};
    git.arguments = {"git", "rev-parse", "--abbrev-ref", "@{upstream}"};
    if (!grader::run(git).ok()) {
      fmt::print("This folder does not follow another repository, so there is nothing to fetch.\n");
    } else {
      git.arguments = {"git", "pull", "--ff-only", "--quiet"};
      grader::Ended ended;
      {
        const Progress progress("fetching the new version");
        ended = grader::run(git);
      }
      if (!ended.ok()) {
        fmt::print(stderr, "The new version could not be fetched; nothing was changed. git says:\n{}",
                   ended.output);
        return grader::exit_machine;
      }
      fmt::print("The workbook is up to date.\n");
      std::fflush(stdout);
      // The command itself may be new: it builds what changed, and merges with the new program.
      const std::string command = (context.root() / "workbook").string();
      if (fs::exists(command)) {
        ::execl(command.c_str(), command.c_str(), "update", "--merge-only", static_cast<char*>(nullptr));
      }
    }
  }
  const auto changes =
      grader::bring_up_to_date({context.root(), context.build(), {}}, context.exercises(), true);
  if (changes.empty()) fmt::print("Your work/ has every starter of this version.\n");
  tell_changes(changes);
  return grader::exit_passed;
}

int list(Context& context) {
  if (context.options().json) {
    nlohmann::json out = {{"schema", "workbook-list/1"}, {"exercises", nlohmann::json::array()}};
    for (const auto& e : context.exercises()) {
      const std::string mark = mark_of(context, e);
      out["exercises"].push_back({{"exercise", e.id},
                                  {"title", e.title},
                                  {"points", e.points},
                                  {"optional", e.optional},
                                  {"state", mark.empty() ? "not started" : mark},
                                  {"file", "work/" + e.chapter_folder + "/" + e.files.front()}});
    }
    fmt::print("{}\n", out.dump(2));
    return grader::exit_passed;
  }
  const Exercise* current = grader::current_exercise(context.exercises(), context.state());
  int solved = 0, total = 0;
  for (const auto& chapter : context.chapters()) {
    fmt::print("{}\n", grader::colored(fmt::format("{}. {}", chapter.number, chapter.title),
                                       grader::Color::bold, context.options().color));
    for (const auto& e : chapter.exercises) {
      const std::string mark = mark_of(context, e);
      total += e.optional ? 0 : 1;
      solved += !e.optional && mark == "solved" ? 1 : 0;
      const bool here = current != nullptr && current->id == e.id;
      const std::string left =
          fmt::format("{} {:<5} {}{}", here ? " →" : "  ", e.id, e.title, e.optional ? "  (optional)" : "");
      const auto color = mark == "solved" ? grader::Color::green : grader::Color::yellow;
      fmt::print("{}{}\n", mark.empty() ? left : grader::spread(left, "", 66),
                 grader::colored(mark, color, context.options().color));
    }
    fmt::print("\n");
  }
  fmt::print("{} of {} solved", solved, total);
  if (current != nullptr)
    fmt::print(". Now: {} in work/{}/{}", current->id, current->chapter_folder, current->files.front());
  fmt::print("\n");
  return grader::exit_passed;
}

int hint(Context& context, const std::string& name, bool all) {
  const Exercise& exercise = need_current(context, name);
  const int total = static_cast<int>(exercise.hints.size());
  if (total == 0) {
    fmt::print("{} has no hints yet. The lesson may help: chapters/{}/README.md\n", exercise.id,
               exercise.chapter_folder);
    return grader::exit_passed;
  }
  const int before = context.state().hints_shown(exercise.id);
  const int shown = all ? total : std::min(before + 1, total);
  context.state().set_hints_shown(exercise.id, shown);
  context.state().save();
  if (context.options().json) {
    const std::vector<std::string> hints(exercise.hints.begin(), exercise.hints.begin() + shown);
    fmt::print("{}\n",
               nlohmann::json{
                   {"schema", "workbook-hint/1"}, {"exercise", exercise.id}, {"hints", hints}, {"of", total}}
                   .dump(2));
    return grader::exit_passed;
  }
  fmt::print("{:<4} {}\n{}\n", exercise.id, exercise.title, grader::rule(grader::page_columns));
  for (int i = 0; i < shown; ++i) {
    fmt::print("{}\n\n", grader::wrapped(exercise.hints[static_cast<std::size_t>(i)], grader::page_columns,
                                         fmt::format("  {}  ", i + 1), "     "));
  }
  if (shown < total)
    fmt::print("  {} more: {} hint {}\n", total - shown, context.command(), exercise.id);
  else if (before >= total)
    fmt::print("  That was all of them. The lesson: chapters/{}/README.md\n", exercise.chapter_folder);
  return grader::exit_passed;
}

int solution(Context& context, const std::string& name, bool force) {
  const Exercise& exercise = context.need_exercise(name);
  if (!force && !context.state().solved(exercise.id)) {
    fmt::print(
        "{} is not solved yet; the solution shows itself after that.\n  A hint:          {} hint {}\n  "
        "See it anyway:   {} solution {} --force\n",
        exercise.id, context.command(), exercise.id, context.command(), exercise.id);
    return grader::exit_not_passed;
  }
  const auto answer = grader::solution_of({context.root(), context.build(), {}}, exercise);
  for (const auto& file : answer.files) {
    const auto text = grader::read_file(file);
    if (!text) throw std::runtime_error(fmt::format("{} cannot be read", file.string()));
    fmt::print("{}\n\n{}",
               grader::colored("// " + grader::shown_path(file, context.root()), grader::Color::dim,
                               context.options().color),
               *text);
  }
  fmt::print("\nOne way to write it, not the only one.\n");
  return grader::exit_passed;
}

int reset(Context& context, const std::string& name) {
  const Exercise& exercise = context.need_exercise(name);
  const auto kept = grader::reset({context.root(), context.build(), {}}, exercise);
  fmt::print("work/{}/{} is the starter again.\n", exercise.chapter_folder, exercise.files.front());
  for (const auto& file : kept) fmt::print("  What you had is kept: {}\n", file);
  return grader::exit_passed;
}

}  // namespace workbook::cli
