// check and verify.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "grader/parallel.h"
#include "grader/process.h"
#include "grader/verify.h"

namespace workbook::cli {

namespace {

using grader::Exercise;
using grader::Verdict;
using grader::VerdictKind;

void print_json(const nlohmann::json& value) {
  fmt::print("{}\n", value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

bool is_failure(VerdictKind kind) {
  return kind != VerdictKind::passed && kind != VerdictKind::not_run && kind != VerdictKind::inconclusive &&
         kind != VerdictKind::grader_error;
}

void fill_progress(Context& context, const Exercise& exercise, grader::PageOptions& page) {
  const auto& exercises = context.exercises();
  page.total = static_cast<int>(
      std::count_if(exercises.begin(), exercises.end(), [](const auto& e) { return !e.optional; }));
  page.solved = static_cast<int>(std::count_if(exercises.begin(), exercises.end(), [&](const auto& e) {
    return !e.optional && context.state().solved(e.id);
  }));
  if (const Exercise* next = grader::next_unsolved(exercises, context.state(), exercise.id)) {
    page.next = next->id + " " + next->title;
    page.next_file = "work/" + next->chapter_folder + "/" + next->files.front();
  }
}

// A file that is no learner's copy (a solution, a wrong answer, a file somewhere): the exercise is told by
// the path.
int check_file(Context& context, const fs::path& file) {
  const fs::path path = fs::absolute(file).lexically_normal();
  const Exercise* exercise = grader::find_exercise(context.exercises(), path.string());
  // tests/exercises/NN_topic/NN_name/wrong/x.cu, or wrong/x/NN_name.h
  for (fs::path at = path.parent_path(); exercise == nullptr && at.has_relative_path(); at = at.parent_path())
    exercise =
        grader::find_exercise(context.exercises(), (at.parent_path().filename() / at.filename()).string());
  if (exercise == nullptr)
    throw UsageError(fmt::format("{} belongs to no exercise: its name, or its folder, must be an exercise's.",
                                 file.string()));
  grader::Answer answer = grader::solution_of(context.space(), *exercise);
  if (answer.files.size() > 1) answer.further = {answer.files.front().parent_path()};
  bool placed = false;
  for (auto& name : answer.files) {
    if (fs::exists(path.parent_path() / name.filename())) name = path.parent_path() / name.filename();
    placed = placed || name == path;
  }
  // A file of another name stands for the exercise's file of its kind.
  for (auto& name : answer.files) {
    if (placed || name.extension() != path.extension()) continue;
    name = path;
    placed = true;
  }
  if (!placed) answer.files.front() = path;
  answer.name = grader::shown_path(path, context.root());
  const auto options = context.check_options("auto");
  Verdict verdict;
  {
    const Progress progress(fmt::format("checking {}", answer.name));
    verdict = grader::check(context.space(), *exercise, answer, options);
  }
  if (context.options().json)
    print_json(grader::to_json(verdict));
  else
    fmt::print("{}", grader::render(verdict, context.page_options()));
  return grader::exit_code_of(verdict.kind);
}

int check_several(Context& context, const std::vector<Exercise>& exercises) {
  const auto options = context.check_options("auto");
  std::vector<Verdict> verdicts(exercises.size());
  context.state();  // made before the threads
  const auto& space = context.space();
  auto job = [&](std::size_t i) {
    const auto answer = grader::work_of(space, exercises[i]);
    if (grader::is_untouched(space, exercises[i], answer)) {  // nothing to learn from running it
      verdicts[i].kind = VerdictKind::not_started;
      verdicts[i].exercise = exercises[i].id;
      verdicts[i].title = exercises[i].title;
      verdicts[i].file = answer.name;
      verdicts[i].device = options.device;
      verdicts[i].unchanged = true;
      return;
    }
    verdicts[i] = grader::check(space, exercises[i], answer, options);
  };
  int passed = 0, worst = grader::exit_passed;
  auto done = [&](std::size_t i) {
    const Verdict& v = verdicts[i];
    if (v.kind == VerdictKind::passed) {
      ++passed;
      context.state().set_solved(v.exercise, v.device);
    }
    const int code = grader::exit_code_of(v.kind);
    if (code == grader::exit_machine || worst == grader::exit_passed) worst = code;
    if (worst == grader::exit_inconclusive && code == grader::exit_not_passed) worst = code;
    if (context.options().json) return;
    fmt::print("{}\n", grader::headline_of(v, context.options().color));
    if (v.failure && is_failure(v.kind))
      fmt::print("{}\n", grader::wrapped(v.failure->headline, grader::page_columns, "     ", "     "));
    else if (!v.why.empty())
      fmt::print("{}\n", grader::wrapped(v.why, grader::page_columns, "     ", "     "));
    std::fflush(stdout);
  };
  if (!grader::in_parallel(exercises.size(), grader::cores(), job, done)) return 130;
  context.state().save();
  if (context.options().json) {
    nlohmann::json out = {{"schema", "workbook-check-all/1"},
                          {"device", options.device},
                          {"exercises", exercises.size()},
                          {"passed", passed}};
    out["verdicts"] = nlohmann::json::array();
    for (const auto& v : verdicts) out["verdicts"].push_back(grader::to_json(v));
    print_json(out);
  } else {
    fmt::print("\n{} of {} passed ({})\n", passed, exercises.size(),
               options.device == "gpu" ? "on the GPU" : "simulated device, " + options.profile);
  }
  return worst;
}

}  // namespace

Verdict check_work(Context& context, const Exercise& exercise, const grader::CheckOptions& options,
                   grader::PageOptions& page) {
  Verdict verdict =
      grader::check(context.space(), exercise, grader::work_of(context.space(), exercise), options);
  if (verdict.unchanged && is_failure(verdict.kind)) verdict.kind = VerdictKind::not_started;
  if (verdict.kind == VerdictKind::passed && !context.state().solved(exercise.id)) {
    context.state().set_solved(exercise.id, verdict.device);
    context.state().save();
  }
  fill_progress(context, exercise, page);
  return verdict;
}

int check(Context& context, const std::string& name) {
  if (name == "all") return check_several(context, context.exercises());
  if (const auto* chapter = context.chapter_named(name)) return check_several(context, chapter->exercises);
  if (grader::find_exercise(context.exercises(), name) == nullptr && fs::path(name).extension() == ".cu" &&
      !fs::exists(name))
    throw UsageError(fmt::format("There is no file {}.", name));
  if (fs::path(name).has_extension() && fs::is_regular_file(name)) {
    const fs::path work = context.root() / "work";
    if (grader::shown_path(fs::canonical(name), work) == fs::canonical(name))
      return check_file(context, name);
  }
  const Exercise* exercise = context.named_or_current(name);
  if (exercise == nullptr) {
    fmt::print("All exercises are solved. {0} check all looks at every one again; {0} check ID at one.\n",
               context.command());
    return grader::exit_passed;
  }
  if (!fs::exists(grader::work_of(context.space(), *exercise).files.front()))
    throw UsageError(fmt::format("{} is not there yet. Type: {} start",
                                 grader::work_of(context.space(), *exercise).name, context.command()));
  auto page = context.page_options();
  const auto options = context.check_options("auto");
  Verdict verdict;
  {
    const Progress progress(fmt::format("checking {}", exercise->id));
    verdict = check_work(context, *exercise, options, page);
  }
  if (grader::interrupted()) return 130;
  if (context.options().json)
    print_json(grader::to_json(verdict));
  else
    fmt::print("{}", grader::render(verdict, page));
  return grader::exit_code_of(verdict.kind);
}

int verify(Context& context, const std::vector<std::string>& names, unsigned jobs) {
  const std::vector<Exercise> chosen = context.chosen(names);
  const auto options = context.check_options("simulated");
  const bool json = context.options().json;
  if (!json) {
    fmt::print("Checking the checks on {}.\n\n",
               options.device == "gpu" ? "the GPU" : "the simulated device, " + options.profile);
    std::fflush(stdout);
  }
  auto tell = [&](const grader::ExerciseVerified& one) {
    if (json) return;
    fmt::print("{}", grader::render(one, context.options().color, context.options().verbose, context.root()));
    std::fflush(stdout);
  };
  std::vector<grader::ExerciseVerified> all;
  if (!grader::verify(context.space(), chosen, options, jobs == 0 ? grader::cores() : jobs, tell, all)) {
    fmt::print(stderr, "Stopped.\n");
    return 130;
  }
  const auto counts = grader::count(all);
  if (json)
    print_json(grader::to_json(all, options));
  else
    fmt::print("\n{}", grader::render(counts));
  return counts.all_ok() ? grader::exit_passed : grader::exit_not_passed;
}

}  // namespace workbook::cli
