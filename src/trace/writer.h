// Writes a trace: a header line, then one line per event.
//
// Each line goes out in one write(2) as soon as it is known, on a descriptor opened with O_APPEND, so that a
// program that crashes, or calls _exit, loses nothing. A writer without a descriptor swallows everything: the
// producer need not ask whether anybody listens. Where the reader gave a key, each line is sealed
// (trace/seal.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "trace/event.h"
#include "trace/seal.h"

namespace workbook::trace {

class TraceWriter {
 public:
  TraceWriter() = default;                   // nobody listens
  explicit TraceWriter(int fd) : fd_(fd) {}  // does not own the descriptor
  // The descriptor named by WORKBOOK_TRACE_FD; nobody listens when it is unset, empty, or not an open
  // descriptor.
  static TraceWriter from_environment();

  bool active() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  void start(const Header& header);
  void add(const Event& event);

 private:
  void line(const std::string& text);
  int fd_ = -1;
  std::optional<SealKey> key_;
  std::uint64_t lines_ = 0;
};

// Writes all of the text, in one call where the system allows. False when the descriptor refuses it (a full
// disk, a closed pipe).
bool write_whole(int fd, const char* text, std::size_t size);

}  // namespace workbook::trace
