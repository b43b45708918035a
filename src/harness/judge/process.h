// A runner's process: started in a session of its own with a clean environment and limits, watched, and ended
// with everything it started.
//
// Its standard output and error go to pipes that are always drained; the first 64 KiB are kept, the rest is
// only counted. Its address space is never limited: CUDA reserves far more than it uses.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace workbook::judge {

// A file descriptor that closes itself.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd() { reset(); }
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

// A file in memory, closed on exec; throws std::runtime_error.
Fd memory_file(const char* name, std::size_t bytes);

// How a runner is started and what it may use. Its address space is never limited.
struct Launch {
  std::string program;
  std::vector<std::string> variables;  // its whole environment: "NAME=value"
  std::vector<std::string> launcher;   // a command in front of it; empty: none
  long uid = -1, gid = -1;             // whose rights it gets; -1: ours
  std::string seccomp;                 // file with a filter for its system calls; empty: none
  double cpu_seconds = 600;
  std::uint64_t file_bytes = std::uint64_t{256} << 20;  // of any one file it writes, the trace too
  std::uint64_t memory_bytes = 0;                       // of it and all that it starts; 0: any
  std::uint64_t processes = 0;                          // 0: what runs now and a thousand more
};

enum class Ending { none, answered, signalled, exited, timed_out, memory };

// What one exchange with the process came to.
struct Outcome {
  Ending ending = Ending::none;
  int code = 0;     // signal number or exit code
  char answer = 0;  // answered: the byte
};

class Process {
 public:
  // Starts it. WORKBOOK_CONTROL_FD and WORKBOOK_TRACE_FD are added to its environment. Throws
  // std::runtime_error.
  explicit Process(const Launch& launch);
  ~Process();  // ends it
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Sends the two descriptors, and waits for the answer, the end, or the time limit. After anything but an
  // answer the process and all that it started are gone.
  Outcome exchange(int request, int response, double seconds);
  // No further exchange: the process gets the chance to leave by itself for `seconds`, then it is killed.
  void finish(double seconds);
  bool alive() const { return pid_ > 0; }

  int trace() const { return trace_.get(); }
  const std::string& printed() const { return printed_; }
  std::size_t printed_bytes() const { return printed_bytes_; }

 private:
  Outcome wait(std::chrono::steady_clock::time_point deadline);
  bool send(int request, int response);
  void drain(Fd& pipe);
  void drain_rest();
  void kill_family();
  Outcome reap(Outcome outcome);

  pid_t pid_ = -1;
  std::uint64_t memory_bytes_ = 0;
  long uid_ = -1;
  bool launched_ = false;  // by a launcher, which tells a signal by its exit code
  Fd control_, trace_, out_, err_;
  std::string printed_;
  std::size_t printed_bytes_ = 0;
};

std::string signal_words(int signal);  // "SIGSEGV (segmentation fault)"

}  // namespace workbook::judge
