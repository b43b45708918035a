#include "harness/judge/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "harness/judge/limits.h"

namespace workbook::judge {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kept_output = std::size_t{64} << 10;

[[noreturn]] void throw_errno(const char* what) {
  throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

std::pair<Fd, Fd> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw_errno("pipe");
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {Fd(ends[0]), Fd(ends[1])};
}

}  // namespace

void Fd::reset(int fd) {
  if (fd_ >= 0) close(fd_);
  fd_ = fd;
}

Fd memory_file(const char* name, std::size_t bytes) {
  Fd file(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) throw_errno("memfd_create");
  if (bytes > 0 && ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) throw_errno("ftruncate");
  return file;
}

Process::Process(const Launch& launch)
    : memory_bytes_(launch.memory_bytes), uid_(launch.uid), launched_(!launch.launcher.empty()) {
  // What the runner leaves behind becomes our child, so that it can be found and ended.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) throw_errno("socketpair");
  control_ = Fd(sockets[0]);
  const Fd theirs(sockets[1]);
  trace_ = memory_file("workbook-trace", 0);
  fcntl(trace_.get(), F_SETFL, O_APPEND);
  // Nobody makes it shorter, and nobody forbids the recorder to write.
  fcntl(trace_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL);
  auto [out_read, out_write] = make_pipe();
  auto [err_read, err_write] = make_pipe();
  out_ = std::move(out_read);
  err_ = std::move(err_read);

  const Prepared prepared(launch);
  int why[2];
  if (pipe2(why, O_CLOEXEC) != 0) throw_errno("pipe");
  Fd why_read(why[0]), why_write(why[1]);
  const Descriptors fds{out_write.get(), err_write.get(), theirs.get(), trace_.get(), why_write.get()};
  pid_ = fork();
  if (pid_ < 0) throw_errno("fork");
  if (pid_ == 0) become(prepared, fds);
  why_write.reset();
  int reason = 0;
  ssize_t got = 0;
  while ((got = read(why_read.get(), &reason, sizeof reason)) < 0 && errno == EINTR) {
  }
  if (got != sizeof reason) return;
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
  throw std::runtime_error(
      fmt::format("the runner {} cannot be started: {}", launch.program, std::strerror(reason)));
}

Process::~Process() {
  if (alive()) kill_family();
}

bool Process::send(int request, int response) {
  char byte = 'q';
  iovec data{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(2 * sizeof(int));
  const int fds[2] = {request, response};
  std::memcpy(CMSG_DATA(header), fds, sizeof fds);
  return sendmsg(control_.get(), &message, MSG_NOSIGNAL) == 1;
}

void Process::drain(Fd& pipe) {
  std::array<char, 65536> buffer;
  // A bounded number of rounds: a flood must not keep us from looking at the clock.
  for (int round = 0; pipe && round < 64; ++round) {
    const ssize_t got = read(pipe.get(), buffer.data(), buffer.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return pipe.reset();
    printed_bytes_ += static_cast<std::size_t>(got);
    const std::size_t room = kept_output - std::min(kept_output, printed_.size());
    printed_.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
  }
}

void Process::drain_rest() {
  drain(out_);
  drain(err_);
}

Outcome Process::exchange(int request, int response, double seconds) {
  printed_.clear();
  printed_bytes_ = 0;
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  send(request, response);  // a process that has already ended is found by `wait`
  const Outcome outcome = wait(deadline);
  if (outcome.ending == Ending::answered) {
    drain_rest();
    return outcome;
  }
  return reap(outcome);
}

Outcome Process::wait(Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return {Ending::timed_out};
    pollfd watched[] = {{control_.get(), POLLIN, 0}, {out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}};
    // Not longer than a moment at a time: a process whose child holds the socket open can die unseen.
    poll(watched, 3, static_cast<int>(std::min<long>(left, memory_bytes_ > 0 ? 50 : 200)));
    if (watched[1].revents != 0) drain(out_);
    if (watched[2].revents != 0) drain(err_);
    if (watched[0].revents != 0) {
      char answer = 0;
      const ssize_t got = recv(control_.get(), &answer, 1, MSG_DONTWAIT);
      if (got == 1) return {Ending::answered, 0, answer};
      if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        control_.reset();  // closed: by its end, mostly; it has until the deadline to end
      }
    }
    if (memory_bytes_ > 0 && memory_of_family(pid_) > memory_bytes_) return {Ending::memory};
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == pid_) {
      // It may have answered just before.
      char answer = 0;
      if (control_ && recv(control_.get(), &answer, 1, MSG_DONTWAIT) == 1)
        return {Ending::answered, 0, answer};
      return {Ending::none};
    }
    if (!control_) usleep(1000);
  }
}

Outcome Process::reap(Outcome outcome) {
  drain_rest();
  int status = 0;
  const bool ended = waitpid(pid_, &status, WNOHANG) == pid_;
  if (ended && outcome.ending == Ending::none) {
    outcome = WIFSIGNALED(status) ? Outcome{Ending::signalled, WTERMSIG(status)}
                                  : Outcome{Ending::exited, WEXITSTATUS(status)};
    // As a shell does, a launcher tells a signal as 128 and its number.
    if (launched_ && outcome.ending == Ending::exited && outcome.code > 128 && outcome.code < 128 + NSIG)
      outcome = {Ending::signalled, outcome.code - 128};
  }
  if (ended) kill(-pid_, SIGKILL);
  kill_family();
  drain_rest();
  return outcome;
}

void Process::finish(double seconds) {
  if (!alive()) return;
  if (control_) shutdown(control_.get(), SHUT_RDWR);
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  while (Clock::now() < deadline) {
    drain_rest();
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == pid_)
      break;
    usleep(500);
  }
  kill_family();
  drain_rest();
}

namespace {

std::vector<pid_t> children_of_this_process() {
  std::vector<pid_t> children;
  std::ifstream in("/proc/thread-self/children");
  for (pid_t child = 0; in >> child;) children.push_back(child);
  return children;
}

}  // namespace

// The group first, then whatever left the group: it is our child by now, or becomes it when its parent dies.
void Process::kill_family() {
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (uid_ > 0 && !launched_) end_all_of_user(uid_);
  for (int round = 0; round < 1000; ++round) {
    const auto children = children_of_this_process();
    if (children.empty()) break;
    for (const pid_t child : children) kill(child, SIGKILL);
    for (const pid_t child : children) waitpid(child, nullptr, 0);
  }
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

std::string signal_words(int number) {
  switch (number) {
    case SIGSEGV:
      return "SIGSEGV: it used an address that is not its own";
    case SIGBUS:
      return "SIGBUS: it used an address that is not its own";
    case SIGABRT:
      return "SIGABRT: it gave up by itself, as abort() or a failed assert() does";
    case SIGFPE:
      return "SIGFPE: an integer division by zero, mostly";
    case SIGILL:
      return "SIGILL: an instruction the processor does not have";
    case SIGKILL:
      return "SIGKILL: it was ended from outside, mostly because memory ran out";
    case SIGXCPU:
      return "SIGXCPU: it used up its processor time";
    case SIGSYS:
      return "SIGSYS: it made a system call that no exercise needs";
    case SIGXFSZ:
      return "SIGXFSZ: it wrote too large a file";
    default:
      return fmt::format("signal {} ({})", number, strsignal(number));
  }
}

}  // namespace workbook::judge
