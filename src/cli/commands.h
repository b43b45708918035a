// The commands. Each returns the exit code of the program.
#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace workbook::cli {

int watch(Context&, const std::string& name);
int start(Context&);
int update(Context&, bool merge_only);
int check(Context&, const std::string& name);
int list(Context&);
int hint(Context&, const std::string& name, bool all);
int solution(Context&, const std::string& name, bool force);
int reset(Context&, const std::string& name);
int doctor(Context&);
int verify(Context&, const std::vector<std::string>& names, unsigned jobs);
// What profile makes besides the page in the terminal; each a file's name, empty when it is not wanted.
struct ProfileOptions {
  std::string html, json, trace;
  std::string before;    // a trace of another run to compare with
  std::string counters;  // a file for each kernel's counters; "-": a table after the page
};
int profile(Context&, const std::string& name, const std::vector<std::string>& arguments,
            const ProfileOptions&);
// bench: what is measured, and how.
struct BenchOptions {
  std::string against;             // a file to compare with; empty: none
  bool cold = false, hot = false;  // neither: cold
  double seconds = 0.5;            // for the samples of one benchmark
  std::string only;                // this benchmark alone
  std::vector<std::string> set;    // "n=4096": a parameter's value
  int trials = 1;                  // repeats the whole comparison
  double at_most = 0;              // > 0: exit code 1 when it surely takes more than this of the other's time
  std::vector<std::string> arguments;  // for a program of the user's own
};
int bench(Context&, const std::string& name, const BenchOptions& wish);
int run_program(Context&, const std::string& program, const std::vector<std::string>& arguments);

// Checks the learner's own copy, notes a success, and fills in what a page says about progress. Shared by
// check, watch and start.
grader::Verdict check_work(Context&, const grader::Exercise&, const grader::CheckOptions&,
                           grader::PageOptions& page);

// The whole help, or one command's page. Empty when there is no such command.
std::string help_page(const std::string& command, const std::string& called_as);
const std::vector<std::string>& command_names();

}  // namespace workbook::cli
