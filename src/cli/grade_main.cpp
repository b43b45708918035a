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
#include "grader/machine.h"
#include "grader/process.h"

namespace {

using namespace workbook;
using namespace workbook::cli;

struct Typed {
  Options options;
  GradeOptions grade;
  bool no_color = false, help = false;
  std::string command, handout_to, formats, only;
  std::vector<std::string> ci, names;
};

std::string called_as() {
  const char* name = std::getenv("WORKBOOK_CALLED_AS");
  return name != nullptr && std::string(name).find('/') != std::string::npos ? name : "./workbook";
}

void add_options(CLI::App& app, Typed& typed) {
  app.set_help_flag();
  app.add_flag("-h,--help", typed.help);
  app.add_option("--device", typed.options.device);
  app.add_option("--profile", typed.options.profile);
  app.add_option("--seed", typed.options.seed);
  app.add_flag("--json", typed.options.json);
  app.add_flag("--no-color", typed.no_color);
  app.add_flag("-v,--verbose", typed.options.verbose);
}

CLI::App* add_command(CLI::App& app, Typed& typed, const std::string& name) {
  CLI::App* sub = app.add_subcommand(name)->fallthrough();
  sub->set_help_flag();
  sub->callback([&typed, name] { typed.command = name; });
  return sub;
}

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

int usage(const std::string& text) {
  fmt::print(stderr, "{}\n", grader::wrapped(text, grader::page_columns));
  return grader::exit_usage;
}

int dispatch(Context& context, const Typed& typed, const std::vector<std::string>& words) {
  if (typed.command == "handout") return handout(context, typed.handout_to, typed.ci);
  if (typed.command == "calibrate") return calibrate(context, typed.names);
  return grade(context, typed.grade, words);
}

int run_typed(const Typed& typed, const std::vector<std::string>& words) {
  try {
    if (typed.help || typed.command.empty()) {
      fmt::print("{}", help_page(typed.command.empty() ? "grade" : typed.command, called_as()));
      return grader::exit_passed;
    }
    Context context(grader::fs::canonical("/proc/self/exe"), typed.options);
    const int code = dispatch(context, typed, words);
    return grader::interrupted() ? 130 : code;
  } catch (const UsageError& error) {
    return usage(error.what());
  } catch (const grader::ManifestError& error) {
    fmt::print(stderr, "A manifest has a mistake:\n  {}\n", error.what());
  } catch (const std::exception& error) {
    if (grader::interrupted()) return 130;
    fmt::print(stderr, "{}\n", grader::wrapped(error.what(), grader::page_columns));
  }
  return grader::exit_machine;
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
  try {
    std::vector<std::string> backwards(words.rbegin(), words.rend());  // CLI11 takes them from the back
    app.parse(backwards);
  } catch (const CLI::ParseError& error) {
    return usage(fmt::format("{}. {} help grade shows what can be typed.", error.what(), called_as()));
  }
  typed.options.color = !typed.no_color && ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return run_typed(typed, words);
}
