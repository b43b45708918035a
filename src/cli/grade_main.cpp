// The teacher's commands: grade, handout, calibrate. What was typed becomes one call, and whatever goes wrong
// becomes one clear sentence and the right exit code, as in main.cpp.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <clocale>
#include <cstdlib>

#include "cli/commands.h"
#include "cli/grade.h"
#include "cli/typed.h"
#include "grader/machine.h"
#include "grader/process.h"

namespace {

using namespace workbook;
using namespace workbook::cli;

struct Typed : Common {
  GradeOptions grade;
  std::string handout_to, formats, only;
  std::vector<std::string> ci, names;
};

void add_grade(CLI::App& app, Typed& typed) {
  GradeOptions& g = typed.grade;
  CLI::App* command = add_command(app, typed, "grade");
  command->add_option("path", g.path);
  command->add_option("--out", g.out)->take_last();
  command->add_option("--from", g.from);
  command->add_option("--format", g.formats)->delimiter(',')->take_all();
  command->add_option("--only", g.only)->delimiter(',')->take_all();
  command->add_option("--isolation", g.isolation);
  command->add_option("--seed-file", g.seed_file);
  command->add_option("--hidden-sizes", g.hidden_sizes)->check(CLI::Range(0, 20));
  command->add_option("--run-seconds", g.run_seconds)->check(CLI::Range(0.1, 3600.0));
  command->add_option("--jobs,-j", g.jobs)->take_last()->check(CLI::Range(1, 512));
  command->add_flag("--one", g.one);
  command->add_flag("--class", g.as_class);
  command->add_option("--engine", g.engine);
  command->add_option("--partition", g.partition);
  command->add_option("--gres", g.gres);
  command->add_option("--time", g.time);
  command->add_option("--throttle", g.throttle);
  command->add_option("--sbatch", g.sbatch)->take_all();
  command->add_option("--task", g.task);
  command->add_option("--index", g.index);
}

int dispatch(Context& context, const Typed& typed, const std::vector<std::string>& words) {
  if (typed.command == "handout") return handout(context, typed.handout_to, typed.ci);
  if (typed.command == "calibrate") return calibrate(context, typed.names);
  return grade(context, typed.grade, words);
}

int run_typed(const Typed& typed, const std::vector<std::string>& words) {
  return run_and_tell([&] {
    if (typed.help || typed.command.empty()) {
      fmt::print("{}", help_page(typed.command.empty() ? "grade" : typed.command, called_as()));
      return static_cast<int>(grader::exit_passed);
    }
    Context context(grader::fs::canonical("/proc/self/exe"), typed.options);
    return dispatch(context, typed, words);
  });
}

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "");
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "--probe-gpu") return grader::probe_gpu();
  grader::install_interrupt_handler();
  Typed typed;
  CLI::App app;
  add_options(app, typed);
  add_grade(app, typed);
  CLI::App* handout_command = add_command(app, typed, "handout");
  handout_command->add_option("folder", typed.handout_to);
  handout_command->add_option("--ci", typed.ci)->delimiter(',');
  add_command(app, typed, "calibrate")->add_option("names", typed.names);
  if (const int code = parse(app, words, typed, "help grade"); code != 0) return code;
  return run_typed(typed, words);
}
