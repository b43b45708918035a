// The conditions under which a class is graded, written by `workbook grade` and given with --conditions: what
// stands between the learner's program and the machine, and what the learner shall not know beforehand. A
// check of one's own work has none of them.
//
// The file is JSON; every key may be missing:
//   launcher      [string]  a command in front of the runner, bubblewrap with its arguments
//   uid, gid      integer   whose rights launcher and runner get (the judge must be root)
//   seccomp       string    file with a filter for system calls, as the kernel takes it
//   memory_bytes  integer   the runner and all that it starts may hold this much
//   processes     integer   it may have this many processes and threads
//   file_bytes    integer   the largest file it may write
//   run_seconds   number    the longest that one call of a driver may take
//   hidden_sizes  integer   so many sizes, drawn from the seed, are tested besides the known ones
//   secret_seed   bool      the runner gets another seed for the order of its blocks, not the one of the
//   inputs go_on_when_slow bool    the cases behind one that is right and too slow are looked at too
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace workbook::judge {

struct Conditions {
  std::vector<std::string> launcher;
  long uid = -1, gid = -1;  // -1: whoever runs the judge
  std::string seccomp;
  std::uint64_t memory_bytes = 0;  // 0: no limit
  std::uint64_t processes = 0;     // 0: what runs now and a thousand more
  std::uint64_t file_bytes = std::uint64_t{256} << 20;
  double run_seconds = 0;  // 0: the device's usual limit
  int hidden_sizes = 0;
  bool secret_seed = false;
  bool go_on_when_slow = false;
  bool isolated() const { return !launcher.empty() || uid >= 0; }
};

Conditions& conditions();  // of this process

// Throws std::invalid_argument with a sentence.
void read_conditions(const std::string& path);

}  // namespace workbook::judge
