// Child processes under limits. A child gets its own process group, so that everything it starts ends with
// it; its output goes to a pipe of bounded size, its input is empty.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "grader/files.h"

namespace workbook::grader {

struct Command {
  std::vector<std::string> arguments;                            // [0] is the program, searched on PATH
  fs::path folder;                                               // empty: ours
  std::vector<std::pair<std::string, std::string>> environment;  // set in addition; an empty value removes
  double seconds = 120;                                          // wall-clock limit
  std::uint64_t file_bytes = 0;                                  // largest file it may write; 0: any
  std::uint64_t data_bytes = 0;                                  // most memory of its own; 0: any
  std::size_t output_limit = 1 << 20;                            // bytes kept; the rest is read and dropped
  std::function<bool()> cancelled;                               // asked some 20 times a second
  std::function<void(const std::string&)> on_output;             // for output shown as it comes; may be empty
};

struct Ended {
  bool started = true;  // false: the program could not be run; `output` says why
  int exit_code = -1;   // -1 when a signal ended it
  int signal = 0;
  bool timed_out = false;
  bool cancelled = false;
  bool truncated = false;  // there was more output than the limit
  std::string output;      // standard output and standard error together
  double wall_seconds = 0;

  bool ok() const { return started && exit_code == 0 && !timed_out && !cancelled; }
};

Ended run(const Command& command);

// "ended by signal 11 (segmentation fault)", "exit code 2", "took longer than 60 s".
std::string in_words(const Ended& ended);

// Set by the signal handler of a program that wants Ctrl-C to end its children first; run() looks at it.
void install_interrupt_handler();
bool interrupted();

// The program's path on PATH; empty when there is none.
fs::path find_program(const std::string& name);

}  // namespace workbook::grader
