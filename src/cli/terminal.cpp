#include "cli/terminal.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <set>

namespace workbook::cli {

namespace fs = std::filesystem;

Keys::Keys() {
  if (::isatty(STDIN_FILENO) == 0 || ::tcgetattr(STDIN_FILENO, &before_) != 0) return;
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  active_ = ::tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

Keys::~Keys() {
  if (active_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

char Keys::next() {
  char key = 0;
  return active_ && ::read(STDIN_FILENO, &key, 1) == 1 ? key : '\0';
}

Watcher::Watcher(std::vector<fs::path> files) {
  std::set<fs::path> folders;
  for (auto& file : files) {
    files_[file] = stamp_of(file);
    folders.insert(file.parent_path());
  }
  inotify_ = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  // Editors write in place or rename over the file: the folder sees both.
  for (const auto& folder : folders) {
    if (inotify_ >= 0)
      ::inotify_add_watch(inotify_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE);
  }
}

Watcher::~Watcher() {
  if (inotify_ >= 0) ::close(inotify_);
}

Watcher::Stamp Watcher::stamp_of(const fs::path& file) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  if (error) return {-1, 0};  // between the two halves of a rename
  return {static_cast<std::int64_t>(time.time_since_epoch().count()), fs::file_size(file, error)};
}

std::vector<fs::path> Watcher::changed() {
  std::vector<fs::path> out;
  for (auto& [file, stamp] : files_) {
    const Stamp now = stamp_of(file);
    if (now == stamp || now.first == -1) continue;
    stamp = now;
    out.push_back(file);
  }
  return out;
}

std::vector<fs::path> Watcher::wait(int milliseconds, bool keys) {
  pollfd set[2] = {{inotify_, POLLIN, 0}, {keys ? STDIN_FILENO : -1, POLLIN, 0}};
  ::poll(set, 2, std::min(milliseconds, 200));
  if (set[0].revents != 0) {
    alignas(inotify_event) char buffer[4096];
    while (::read(inotify_, buffer, sizeof buffer) > 0) {
    }
  }
  auto out = changed();
  // A save may be several writes; a moment later it is whole.
  while (!out.empty()) {
    ::usleep(20000);
    const auto more = changed();
    if (more.empty()) break;
    out = more;
  }
  return out;
}

void clear_screen() {
  if (::isatty(STDOUT_FILENO) == 0) return;
  std::fputs("\x1b[2J\x1b[3J\x1b[H", stdout);
  std::fflush(stdout);
}

}  // namespace workbook::cli
