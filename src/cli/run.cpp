// run: any CUDA program of the user's own, on the chosen device.
#include <cstdlib>

#include "cli/commands.h"
#include "cli/program.h"
#include "grader/process.h"

namespace workbook::cli {

int run_program(Context& context, const std::string& name, const std::vector<std::string>& arguments) {
  const auto options = context.check_options("auto");
  const grader::TemporaryFolder folder("run");
  const fs::path program = ready_program(context, name, "run", options, folder.path());
  if (program.empty()) return grader::exit_not_passed;
  meet_device(context, options);
  // Whoever listens to the trace gets the ranges too; nobody else pays for them.
  const auto& nvtx = context.space().tools.nvtx_library;
  if (std::getenv("WORKBOOK_TRACE_FD") != nullptr && options.device == "simulated" && !nvtx.empty())
    ::setenv("NVTX_INJECTION64_PATH", nvtx.c_str(), 0);
  // Ctrl-C is the program's to answer; ours would only leave the temporary folder behind.
  return in_foreground(program, arguments);
}

}  // namespace workbook::cli
