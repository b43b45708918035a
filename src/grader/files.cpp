#include "grader/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace workbook::grader {

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
  h ^= word;
  h *= 0xff51afd7ed558ccdull;
  h ^= h >> 32;
  return h;
}

[[noreturn]] void fail(const std::string& what, const fs::path& path) {
  const int reason = errno;
  std::string text = fmt::format("{} '{}': {}", what, path.string(), std::strerror(reason));
  if (reason == ENOSPC) text += ". Free some space, then call again; nothing of yours was changed.";
  if (reason == EROFS || reason == EACCES) text += ". Work in a copy of the workbook that is yours to write.";
  throw std::runtime_error(text);
}

void write_all(int fd, std::string_view text, const fs::path& path, const fs::path& partial) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int reason = errno;
      ::close(fd);
      ::unlink(partial.c_str());
      errno = reason;
      fail("cannot write", path);
    }
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

std::optional<std::string> read_file(const fs::path& path) {
  // Only what is a file: a pipe would wait for a writer, a device may never end.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return std::nullopt;
  struct stat facts {};
  if (::fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    ::close(fd);
    return std::nullopt;
  }
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      ::close(fd);
      return std::nullopt;
    }
    if (n == 0) break;
    text.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(fd);
  return text;
}

void write_file(const fs::path& path, std::string_view text) {
  static std::atomic<unsigned> counter{0};
  std::error_code ignored;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), ignored);
  fs::path partial = path;
  partial += fmt::format(".{}-{}.part", ::getpid(), counter++);
  const int fd = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) fail("cannot write", path);
  write_all(fd, text, path, partial);
  if (::close(fd) != 0 || ::rename(partial.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::unlink(partial.c_str());
    errno = reason;
    fail("cannot write", path);
  }
}

void copy_file_whole(const fs::path& from, const fs::path& to) {
  const auto text = read_file(from);
  if (!text) fail("cannot read", from);
  write_file(to, *text);
  struct stat facts {};
  if (::stat(from.c_str(), &facts) == 0) ::chmod(to.c_str(), (facts.st_mode & 0777) | S_IWUSR);
}

std::string shown_path(const fs::path& path, const fs::path& root) {
  if (!path.is_absolute()) return path.generic_string();
  const fs::path relative = path.lexically_normal().lexically_relative(root.lexically_normal());
  if (relative.empty() || *relative.begin() == "..") return path.generic_string();
  return relative.generic_string();
}

Hash& Hash::add(std::string_view bytes) {
  a_ = mix(a_, bytes.size());
  b_ = mix(b_, ~bytes.size());
  while (bytes.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    a_ = mix(a_, word);
    b_ = mix(b_, (word << 29) | (word >> 35));
    bytes.remove_prefix(8);
  }
  std::uint64_t rest = 0;
  if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
  a_ = mix(a_, rest);
  b_ = mix(b_, rest + 0x1234567);
  return *this;
}

std::string Hash::hex() const {
  return fmt::format("{:016x}{:016x}", mix(a_, b_), mix(b_, 17));
}

TemporaryFolder::TemporaryFolder(std::string_view purpose) {
  std::error_code ignored;
  std::string pattern =
      (fs::temp_directory_path(ignored) / fmt::format("workbook-{}-XXXXXX", purpose)).string();
  if (::mkdtemp(pattern.data()) == nullptr) fail("cannot make a temporary folder", pattern);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.emplace_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string trimmed(std::string_view text) {
  const auto space = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(space) - begin + 1));
}

}  // namespace workbook::grader
