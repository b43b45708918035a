// Keys, one at a time, and a clear screen; and the news that a file below a folder was saved.
#pragma once

#include <termios.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace workbook::cli {

// Standard input gives single keys without echo while this lives; Ctrl-C still interrupts. Does nothing when
// standard input is no terminal.
class Keys {
 public:
  Keys();
  ~Keys();
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;
  bool active() const { return active_; }
  // The key that was pressed, 0 when none is waiting.
  char next();

 private:
  bool active_ = false;
  termios before_{};
};

// Watches files for changes of content. inotify wakes it at once; where inotify does not work (some network
// folders), times and sizes are looked at every 200 ms.
class Watcher {
 public:
  explicit Watcher(std::vector<std::filesystem::path> files);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Waits for a key on standard input (when `keys`), a change, or the end of the time. Returns the files
  // changed since the last call.
  std::vector<std::filesystem::path> wait(int milliseconds, bool keys);

 private:
  using Stamp = std::pair<std::int64_t, std::uintmax_t>;
  static Stamp stamp_of(const std::filesystem::path& file);
  std::vector<std::filesystem::path> changed();
  std::map<std::filesystem::path, Stamp> files_;
  int inotify_ = -1;
};

void clear_screen();  // only on a terminal

}  // namespace workbook::cli
