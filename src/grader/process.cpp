#include "grader/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

extern char** environ;

namespace workbook::grader {

namespace {

std::sig_atomic_t volatile interrupt_seen = 0;
void on_interrupt(int) {
  interrupt_seen = 1;
}

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point t) {
  return std::chrono::duration<double>(Clock::now() - t).count();
}

// All that the child needs, made before the fork: after it only async-signal-safe calls are allowed.
struct Image {
  std::string program;
  std::vector<std::string> variables;
  std::vector<char*> argv, envp;

  explicit Image(const Command& command) {
    program = find_program(command.arguments.at(0)).string();
    for (const auto& argument : command.arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    auto is_set = [&](std::string_view entry) {
      return std::any_of(command.environment.begin(), command.environment.end(), [&](const auto& pair) {
        return entry.starts_with(pair.first) && entry.size() > pair.first.size() &&
               entry[pair.first.size()] == '=';
      });
    };
    for (char** v = environ; *v != nullptr; ++v) {
      if (!is_set(*v)) variables.emplace_back(*v);
    }
    for (const auto& [name, value] : command.environment) {
      if (!value.empty()) variables.push_back(name + "=" + value);
    }
    for (auto& variable : variables) envp.push_back(variable.data());
    envp.push_back(nullptr);
  }
};

[[noreturn]] void become(const Image& image, const Command& command, int output, int error_pipe,
                         pid_t parent) {
  const char* folder = command.folder.c_str();
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const rlimit largest{command.file_bytes, command.file_bytes};
  if (command.file_bytes > 0) ::setrlimit(RLIMIT_FSIZE, &largest);
  const rlimit most{command.data_bytes, command.data_bytes};
  if (command.data_bytes > 0) ::setrlimit(RLIMIT_DATA, &most);
  const int input = ::open("/dev/null", O_RDONLY);
  ::dup2(input, 0);
  ::dup2(output, 1);
  ::dup2(output, 2);
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (int s : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) ::sigaction(s, &plain, nullptr);
  if (*folder == '\0' || ::chdir(folder) == 0)
    ::execve(image.program.c_str(), image.argv.data(), image.envp.data());
  const int reason = errno;
  [[maybe_unused]] const ssize_t n = ::write(error_pipe, &reason, sizeof reason);
  ::_exit(127);
}

// Reads what is there. False at the end of the output.
bool drain(int fd, const Command& command, Ended& ended) {
  char buffer[16384];
  const ssize_t n = ::read(fd, buffer, sizeof buffer);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n == 0) return false;
  const std::string_view got(buffer, static_cast<std::size_t>(n));
  if (command.on_output) command.on_output(std::string(got));
  const std::size_t room = command.output_limit - std::min(command.output_limit, ended.output.size());
  ended.output.append(got.substr(0, room));
  ended.truncated = ended.truncated || got.size() > room;
  return true;
}

void wait_until_done(pid_t child, int output, const Command& command, Ended& ended, Clock::time_point began) {
  bool open = true;
  const int watch = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  for (;;) {
    pollfd set[2] = {{open ? output : -1, POLLIN, 0}, {watch, POLLIN, 0}};
    ::poll(set, 2, watch >= 0 ? 50 : 5);
    if (open && set[0].revents != 0) open = drain(output, command, ended);
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == child)
      break;
    ended.timed_out = seconds_since(began) > command.seconds;
    ended.cancelled = interrupted() || (command.cancelled && command.cancelled());
    if (ended.timed_out || ended.cancelled) break;
  }
  ::kill(-child, SIGKILL);  // whatever it left running
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (watch >= 0) ::close(watch);
  // What is already in the pipe still counts; a grandchild that escaped may hold it open, so do not wait for
  // its end.
  ::fcntl(output, F_SETFL, O_NONBLOCK);
  for (int i = 0; open && i < 256; ++i) {
    pollfd one{output, POLLIN, 0};
    if (::poll(&one, 1, 0) <= 0) break;
    open = drain(output, command, ended);
  }
  if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
}

}  // namespace

void install_interrupt_handler() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGHUP, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() {
  return interrupt_seen != 0;
}

fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* variable = std::getenv("PATH");
  std::string path = variable != nullptr ? variable : "/usr/bin:/bin";
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    const fs::path candidate = fs::path(path.substr(at, end - at)) / name;
    std::error_code ignored;
    if (::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, ignored)) return candidate;
    at = end + 1;
  }
  return {};
}

Ended run(const Command& command) {
  Ended ended;
  const Image image(command);
  const auto began = Clock::now();
  int output[2], error[2];
  if (image.program.empty() || ::pipe2(output, O_CLOEXEC) != 0) {
    ended.started = false;
    ended.output = fmt::format("{}: no such program on PATH", command.arguments[0]);
    return ended;
  }
  if (::pipe2(error, O_CLOEXEC) != 0) {
    ::close(output[0]), ::close(output[1]);
    ended.started = false;
    ended.output = fmt::format("cannot make a pipe: {}", std::strerror(errno));
    return ended;
  }
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(image, command, output[1], error[1], parent);
  ::close(output[1]), ::close(error[1]);
  int reason = child < 0 ? errno : 0;
  if (child > 0) {
    ::setpgid(child, child);
    while (::read(error[0], &reason, sizeof reason) < 0 && errno == EINTR) {
    }
    if (reason == 0)
      wait_until_done(child, output[0], command, ended, began);
    else
      ::waitpid(child, nullptr, 0);
  }
  if (reason != 0) {
    ended.started = false;
    ended.output = fmt::format("cannot run {}: {}", command.arguments[0], std::strerror(reason));
  }
  ::close(output[0]), ::close(error[0]);
  ended.wall_seconds = seconds_since(began);
  return ended;
}

std::string in_words(const Ended& ended) {
  if (!ended.started) return ended.output;
  if (ended.cancelled) return "was stopped";
  if (ended.timed_out) return fmt::format("took longer than {:.0f} s", ended.wall_seconds);
  if (ended.signal != 0)
    return fmt::format("ended by signal {} ({})", ended.signal, ::strsignal(ended.signal));
  return fmt::format("exit code {}", ended.exit_code);
}

}  // namespace workbook::grader
