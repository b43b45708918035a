// What the learner's command line and the teacher's have in common: the options that every command takes, how
// words become a call, and how whatever goes wrong becomes one clear sentence and the right exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/context.h"

namespace workbook::cli {

struct Common {
  Options options;
  bool no_color = false, help = false;
  std::string command;
};

// "./workbook", or the path that it was called by.
std::string called_as();
void add_options(CLI::App& app, Common& typed);
CLI::App* add_command(CLI::App& app, Common& typed, const std::string& name);
// Says it, and gives the exit code.
int usage(const std::string& text);
// Fills what was added to `app`; 0, or the exit code when something can't be read. `page` names the page of
// help that tells more.
int parse(CLI::App& app, std::vector<std::string> words, Common& typed, const std::string& page);
int run_and_tell(const std::function<int()>& command);

}  // namespace workbook::cli
