// The command line: what was typed becomes one call of a command, and whatever goes wrong becomes one clear
// sentence and the right exit code.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>

#include "cli/commands.h"
#include "cli/typed.h"
#include "grader/machine.h"
#include "grader/process.h"

namespace {

using namespace workbook;
using namespace workbook::cli;

struct Typed : Common {
  bool merge_only = false, all_hints = false, force = false;
  std::string name, program;
  std::vector<std::string> names, arguments;
  unsigned jobs = 0;
  ProfileOptions profile;
  BenchOptions bench;
};

void add_commands(CLI::App& app, Typed& typed) {
  for (const char* name : {"watch", "check", "hint"})
    add_command(app, typed, name)->add_option("name", typed.name);
  for (const char* name : {"start", "list", "doctor"}) add_command(app, typed, name);
  add_command(app, typed, "reset")->add_option("name", typed.name);
  CLI::App* solution_command = add_command(app, typed, "solution");
  solution_command->add_option("name", typed.name);
  solution_command->add_flag("--force", typed.force);
  app.get_subcommand("hint")->add_flag("--all", typed.all_hints);
  add_command(app, typed, "update")->add_flag("--merge-only", typed.merge_only);
  CLI::App* verify_command = add_command(app, typed, "verify");
  verify_command->add_option("names", typed.names);
  verify_command->add_option("--jobs,-j", typed.jobs);
  add_command(app, typed, "run")->add_option("program", typed.program);
  CLI::App* profile_command = add_command(app, typed, "profile");
  profile_command->add_option("program", typed.program);
  profile_command->add_option("--html", typed.profile.html);
  profile_command->add_option("--json", typed.profile.json);
  profile_command->add_option("--trace", typed.profile.trace);
  profile_command->add_option("--before", typed.profile.before);
  profile_command->add_option("--counters", typed.profile.counters);
  CLI::App* bench_command = add_command(app, typed, "bench");
  bench_command->add_option("program", typed.program);
  bench_command->add_option("--against", typed.bench.against);
  bench_command->add_flag("--cold", typed.bench.cold);
  bench_command->add_flag("--hot", typed.bench.hot);
  bench_command->add_option("--seconds", typed.bench.seconds)->check(CLI::Range(0.01, 600.0));
  bench_command->add_option("--only", typed.bench.only);
  bench_command->add_option("--set", typed.bench.set)->take_all()->allow_extra_args(false);
  bench_command->add_option("--trials", typed.bench.trials)->check(CLI::Range(1, 100000));
  bench_command->add_option("--at-most", typed.bench.at_most)->check(CLI::Range(0.01, 100.0));
}

// `bench` takes its options behind the program too; what is the program's own stands behind "--".
void split_off_after_dashes(std::vector<std::string>& words, Typed& typed) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (std::find(words.begin(), dashes, "bench") == dashes || dashes == words.end()) return;
  typed.bench.arguments.assign(dashes + 1, words.end());
  words.erase(dashes, words.end());
}

// `run` and `profile` hand everything after the program to the program, whatever it looks like.
void split_off_arguments(std::vector<std::string>& words, Typed& typed) {
  const auto command = std::find_if(
      words.begin(), words.end(), [](const std::string& word) { return word == "run" || word == "profile"; });
  if (command == words.end()) return;
  std::vector<std::string> with_value{"--device", "--profile", "--seed"};
  if (*command == "profile")
    with_value.insert(with_value.end(), {"--html", "--json", "--trace", "--before", "--counters"});
  auto at = command + 1;
  while (at != words.end() && at->starts_with('-')) {
    const bool takes_value = std::find(with_value.begin(), with_value.end(), *at) != with_value.end();
    at += takes_value && at + 1 != words.end() ? 2 : 1;
  }
  if (at == words.end()) return;
  typed.arguments.assign(at + 1, words.end());
  words.erase(at + 1, words.end());
}

// A word in the place of a command that is none; a path or an id there means "watch this one".
std::string misspelled_command(std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--device" || words[i] == "--profile" || words[i] == "--seed") {
      ++i;
    } else if (!words[i].starts_with('-')) {
      const auto& known = command_names();
      if (std::find(known.begin(), known.end(), words[i]) != known.end()) return "";
      if (std::isdigit(static_cast<unsigned char>(words[i][0])) == 0) return words[i];
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(i), "watch");
      return "";
    }
  }
  return "";
}

std::string need_name(const Typed& typed) {
  if (typed.name.empty())
    throw UsageError(fmt::format("Which one? {} {} ID, for example {} {} 2.1", called_as(), typed.command,
                                 called_as(), typed.command));
  return typed.name;
}

int dispatch(Context& context, const Typed& typed) {
  const std::string& c = typed.command;
  if (c.empty() || c == "watch") return watch(context, typed.name);
  if (c == "start") return start(context);
  if (c == "update") return update(context, typed.merge_only);
  if (c == "check") return check(context, typed.name);
  if (c == "list") return list(context);
  if (c == "hint") return hint(context, typed.name, typed.all_hints);
  if (c == "solution") return solution(context, need_name(typed), typed.force);
  if (c == "reset") return reset(context, need_name(typed));
  if (c == "doctor") return doctor(context);
  if (c == "verify") return verify(context, typed.names, typed.jobs);
  if (c == "profile") {
    if (typed.program.empty())
      throw UsageError(fmt::format("What should be profiled? {} profile FILE.cu", called_as()));
    return profile(context, typed.program, typed.arguments, typed.profile);
  }
  if (c == "bench") {
    if (typed.program.empty())
      throw UsageError(fmt::format("What should be measured? {} bench FILE.cu", called_as()));
    return bench(context, typed.program, typed.bench);
  }
  if (typed.program.empty()) throw UsageError(fmt::format("What should run? {} run FILE.cu", called_as()));
  return run_program(context, typed.program, typed.arguments);
}

// The teacher's commands are a program of their own, which ./workbook builds when one is typed.
int hand_over(char** argv) {
  const grader::fs::path other = grader::fs::canonical("/proc/self/exe").parent_path() / "workbook-grade";
  ::execv(other.c_str(), argv);
  return usage(fmt::format("{} is not built. Call {} itself; it builds what is missing.", other.string(),
                           called_as()));
}

int help(const std::string& topic) {
  const std::string page = help_page(topic, called_as());
  if (page.empty())
    return usage(fmt::format("There is no command '{}'. {} help shows them all.", topic, called_as()));
  fmt::print("{}", page);
  return grader::exit_passed;
}

int run_typed(const Typed& typed, const char* self) {
  return run_and_tell([&] {
    if (typed.help) return help(typed.command);
    Context context(grader::fs::canonical(self), typed.options);
    return dispatch(context, typed);
  });
}

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "");
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "--probe-gpu") return grader::probe_gpu();
  grader::install_interrupt_handler();
  // Before the parser, which would take the topic for a second command.
  if (!words.empty() && words[0] == "help")
    return help(words.size() > 1 && words[1] != "help" ? words[1] : "");
  Typed typed;
  split_off_after_dashes(words, typed);
  split_off_arguments(words, typed);
  if (const std::string word = misspelled_command(words); !word.empty()) {
    const std::string close = grader::nearest(word, command_names());
    return usage(fmt::format("There is no command '{}'.{} {} help shows them all.", word,
                             close.empty() ? "" : fmt::format(" Did you mean '{}'?", close), called_as()));
  }
  for (const auto& word : words) {
    if (word == "grade" || word == "handout" || word == "calibrate") return hand_over(argv);
    if (!word.starts_with('-')) break;
  }
  CLI::App app;
  add_options(app, typed);
  add_commands(app, typed);
  if (const int code = parse(app, words, typed, "help"); code != 0) return code;
  return run_typed(typed, "/proc/self/exe");
}
