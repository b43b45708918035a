// What a learner's object may name: looked at between the compiler and the linker.
//
// Runner and learner share a process, so a name that the learner defines goes before a library's: an own
// cudaEventElapsedTime would answer for the device, an own recvmsg for the judge. And a few of the system's
// functions have no use in an exercise but to reach other processes, other files or the names of the
// libraries. Such an object is refused, with the name. This keeps honest people honest and easy tricks out;
// raw system calls are the sandbox's business.
#pragma once

#include <optional>
#include <string>

#include "grader/files.h"
#include "trace/record.h"

namespace workbook::grader {

// The first name that is not allowed, as a failure to show; nullopt when there is none, or the file is no
// object.
std::optional<trace::Failure> refused_names(const fs::path& object);

}  // namespace workbook::grader
