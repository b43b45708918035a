#include "trace/writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace workbook::trace {

namespace {

// Plain data: it is written before any constructor of this program's has run.
struct EarlyKey {
  SealKey key;
  bool taken;
};
constinit EarlyKey early_key{};

// Before the static constructors of whoever else is linked into this program.
__attribute__((constructor(101))) void take_key_early() {
  if (const auto key = take_seal_key(trace_key_variable)) early_key = {*key, true};
}

}  // namespace

TraceWriter TraceWriter::from_environment() {
  const char* text = std::getenv("WORKBOOK_TRACE_FD");
  if (text == nullptr || *text == '\0') return {};
  char* end = nullptr;
  const long fd = std::strtol(text, &end, 10);
  if (*end != '\0' || fd < 0 || fd > 1'000'000) return {};
  const int flags = fcntl(static_cast<int>(fd), F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) return {};
  TraceWriter writer(static_cast<int>(fd));
  if (early_key.taken) writer.key_ = early_key.key;
  return writer;
}

bool write_whole(int fd, const char* text, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(fd, text, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

void TraceWriter::start(const Header& header) {
  if (active()) line(to_json(header).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void TraceWriter::add(const Event& event) {
  if (active()) line(to_json(event).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void TraceWriter::line(const std::string& text) {
  const std::string whole = key_ ? sealed_line(*key_, lines_++, text) : text + '\n';
  // Half a line would make the next one unreadable as well: after a failure nobody listens any more.
  if (!write_whole(fd_, whole.data(), whole.size())) fd_ = -1;
}

}  // namespace workbook::trace
