// The moment between fork and exec of a runner: limits, rights, the filter for system calls; and what a
// family of processes holds.
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "harness/judge/process.h"

namespace workbook::judge {

// All that the child needs, made before the fork: after it only what is safe there may be called.
struct Prepared {
  explicit Prepared(const Launch& launch);  // throws std::runtime_error

  std::vector<std::string> texts;
  std::vector<char*> argv, envp;
  std::vector<sock_filter> filter;  // loaded by us, when there is no launcher to do it
  Fd filter_file;                   // for the launcher
  long uid, gid;
  double cpu_seconds;
  std::uint64_t file_bytes, processes;
};

struct Descriptors {
  int out, err, control, trace, why;  // why: gets errno when the program cannot be run
};

inline constexpr int child_control = 3, child_trace = 4, child_filter = 5;

[[noreturn]] void become(const Prepared& prepared, Descriptors fds);

// Resident bytes of a process and of all that descend from it.
std::uint64_t memory_of_family(pid_t pid);

// Kills every process of that user, which must be one that only runs learners' programs.
void end_all_of_user(long uid);

}  // namespace workbook::judge
