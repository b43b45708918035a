#include "cli/typed.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/commands.h"
#include "grader/process.h"

namespace workbook::cli {

std::string called_as() {
  const char* name = std::getenv("WORKBOOK_CALLED_AS");
  return name != nullptr && std::string(name).find('/') != std::string::npos ? name : "./workbook";
}

void add_options(CLI::App& app, Common& typed) {
  app.set_help_flag();
  app.add_flag("-h,--help", typed.help);
  app.add_option("--device", typed.options.device);
  app.add_option("--profile", typed.options.profile);
  app.add_option("--seed", typed.options.seed);
  app.add_flag("--json", typed.options.json);
  app.add_flag("--no-color", typed.no_color);
  app.add_flag("-v,--verbose", typed.options.verbose);
}

CLI::App* add_command(CLI::App& app, Common& typed, const std::string& name) {
  CLI::App* sub = app.add_subcommand(name)->fallthrough();
  sub->set_help_flag();
  sub->callback([&typed, name] { typed.command = name; });
  return sub;
}

int usage(const std::string& text) {
  fmt::print(stderr, "{}\n", grader::wrapped(text, grader::page_columns));
  return grader::exit_usage;
}

int parse(CLI::App& app, std::vector<std::string> words, Common& typed, const std::string& page) {
  try {
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return usage(fmt::format("{}. {} {} shows what can be typed.", error.what(), called_as(), page));
  }
  typed.options.color = !typed.no_color && ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return 0;
}

int run_and_tell(const std::function<int()>& command) {
  try {
    const int code = command();
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

}  // namespace workbook::cli
