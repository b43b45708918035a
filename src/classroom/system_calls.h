// The filter for system calls of a graded program, as the kernel takes it.
#pragma once

#include "grader/files.h"

namespace workbook::classroom {

// Writes the filter. With `gentle` a refused network socket gives an error instead of ending the program: a
// GPU's driver may ask for one. Throws std::runtime_error.
void write_system_call_filter(const grader::fs::path& path, bool gentle);

}  // namespace workbook::classroom
