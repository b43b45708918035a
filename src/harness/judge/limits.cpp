#include "harness/judge/limits.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace workbook::judge {

namespace {

// The system counts a user's processes, not ours: the limit leaves room above what runs now.
std::uint64_t usual_process_limit() {
  std::ifstream in("/proc/loadavg");
  std::string skip, counts;
  in >> skip >> skip >> skip >> counts;
  const auto slash = counts.find('/');
  const unsigned long running =
      slash == std::string::npos ? 8192 : std::strtoul(counts.c_str() + slash + 1, nullptr, 10);
  return running + 1024;
}

void set_limit(int what, rlim_t value) {
  rlimit limit{};
  getrlimit(static_cast<__rlimit_resource>(what), &limit);
  limit.rlim_cur = std::min(value, limit.rlim_max);
  limit.rlim_max = limit.rlim_cur;
  setrlimit(static_cast<__rlimit_resource>(what), &limit);
}

[[noreturn]] void give_up(int why) {
  const int reason = errno;
  [[maybe_unused]] const auto ignored = write(why, &reason, sizeof reason);
  _exit(127);
}

// When memory runs out, the system shall take the learner's program, not the one that grades.
void be_the_first_to_go() {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const auto ignored = write(file, "1000", 4);
  close(file);
}

// First out of the way of the numbers to be used, then into place.
void place(const Descriptors& fds, int filter) {
  const int null = open("/dev/null", O_RDONLY);
  const int from[] = {null, fds.out, fds.err, fds.control, fds.trace, filter};
  const int count = filter >= 0 ? 6 : 5;
  int high[6];
  for (int i = 0; i < count; ++i) high[i] = fcntl(from[i], F_DUPFD_CLOEXEC, 16);
  for (int i = 0; i < count; ++i) dup2(high[i], i);
}

std::uint64_t resident_bytes(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/statm", pid));
  std::uint64_t pages = 0, resident = 0;
  in >> pages >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void add_family(pid_t pid, int depth, std::uint64_t& sum) {
  if (depth > 64) return;
  sum += resident_bytes(pid);
  // Of the first thread only: a launcher starts its child there, and so does whoever forks in main().
  std::ifstream in(fmt::format("/proc/{0}/task/{0}/children", pid));
  for (pid_t child = 0; in >> child;) add_family(child, depth + 1, sum);
}

}  // namespace

Prepared::Prepared(const Launch& launch)
    : uid(launch.uid),
      gid(launch.gid),
      cpu_seconds(launch.cpu_seconds),
      file_bytes(launch.file_bytes),
      processes(launch.processes > 0 ? launch.processes : usual_process_limit()) {
  if (!launch.seccomp.empty()) {
    filter_file = Fd(open(launch.seccomp.c_str(), O_RDONLY | O_CLOEXEC));
    std::ifstream in(launch.seccomp, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!filter_file || bytes.empty() || bytes.size() % sizeof(sock_filter) != 0)
      throw std::runtime_error(fmt::format("{} is no filter for system calls", launch.seccomp));
    filter.resize(bytes.size() / sizeof(sock_filter));
    std::memcpy(filter.data(), bytes.data(), bytes.size());
  }
  const bool by_launcher = !launch.launcher.empty();
  if (by_launcher) filter.clear();
  if (!by_launcher) filter_file.reset();
  texts = launch.launcher;
  texts.push_back(launch.program);
  const std::size_t arguments = texts.size();
  texts.insert(texts.end(), launch.variables.begin(), launch.variables.end());
  texts.push_back(fmt::format("WORKBOOK_CONTROL_FD={}", child_control));
  texts.push_back(fmt::format("WORKBOOK_TRACE_FD={}", child_trace));
  for (std::size_t i = 0; i < texts.size(); ++i) (i < arguments ? argv : envp).push_back(texts[i].data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
}

// Only what is safe between fork and exec.
void become(const Prepared& p, Descriptors fds) {
  fds.why = fcntl(fds.why, F_DUPFD_CLOEXEC, 32);  // out of the way too
  setsid();
  signal(SIGPIPE, SIG_DFL);
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_CPU, static_cast<rlim_t>(p.cpu_seconds) + 1);
  set_limit(RLIMIT_FSIZE, p.file_bytes);
  set_limit(RLIMIT_NPROC, p.processes);
  be_the_first_to_go();
  place(fds, p.filter_file.get());
  if (p.gid >= 0 && (setgroups(0, nullptr) != 0 || setgid(static_cast<gid_t>(p.gid)) != 0)) give_up(fds.why);
  if (p.uid >= 0 && setuid(static_cast<uid_t>(p.uid)) != 0) give_up(fds.why);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // after the change of user, which forgets it
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (!p.filter.empty()) {
    const sock_fprog program{static_cast<unsigned short>(p.filter.size()),
                             const_cast<sock_filter*>(p.filter.data())};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) give_up(fds.why);
  }
  execve(p.argv[0], p.argv.data(), p.envp.data());
  give_up(fds.why);
}

std::uint64_t memory_of_family(pid_t pid) {
  std::uint64_t sum = 0;
  add_family(pid, 0, sum);
  return sum;
}

void end_all_of_user(long uid) {
  const pid_t child = fork();
  if (child < 0) return;
  if (child == 0) {
    // As that user, -1 means every process of that user and nobody else's.
    if (setgroups(0, nullptr) == 0 && setgid(static_cast<gid_t>(uid)) == 0 &&
        setuid(static_cast<uid_t>(uid)) == 0 && getuid() == static_cast<uid_t>(uid))
      kill(-1, SIGKILL);
    _exit(0);
  }
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace workbook::judge
