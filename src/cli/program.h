// A program of the user's own: built when it is a source file, and started on the chosen device with our
// terminal. Shared by run and profile.
#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace workbook::cli {

bool is_source(const fs::path& path);

// What nvcc said is on the screen when it failed.
bool build_program(Context& context, const fs::path& source, const fs::path& program);

// The file or program of that name, built into `folder` when it is a source. Empty when it did not compile.
// Throws UsageError when there is none, or when it cannot be sent to the simulated device.
fs::path ready_program(Context& context, const std::string& name, const std::string& command,
                       const grader::CheckOptions& options, const fs::path& folder);

// The variables by which a program meets the chosen device, set in our own environment.
void meet_device(Context& context, const grader::CheckOptions& options);

// In the foreground, with our terminal; its exit code, 128 and the signal's number when a signal ended it.
int in_foreground(const fs::path& program, const std::vector<std::string>& arguments);

}  // namespace workbook::cli
