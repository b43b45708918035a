// What the device did, as CUPTI's Activity API reports it: kernels, copies and fills by the number of the
// call that asked for them, and the time that loading, compiling and CUPTI itself took.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/event.h"

namespace workbook::cupti {

struct DeviceWork {
  std::int64_t begin = 0, end = 0;
  trace::MemoryKind from = trace::MemoryKind::none, to = trace::MemoryKind::none;
  std::uint32_t static_shared = 0, registers = 0;
  std::string name;  // of a kernel: mangled
};

struct Overhead {
  const char* kind;
  std::string text;
  std::int64_t begin = 0, end = 0;
};

class Activities {
 public:
  static Activities& get();

  // Turns the recording on. Empty, or a sentence that says what CUPTI did not want.
  std::string enable();
  // Waits for what CUPTI still holds. The program's work must be over: the flush itself waits for nothing.
  void flush();

  // Null when the device did nothing for the call, or did it after the last flush.
  const DeviceWork* of(std::uint32_t correlation) const;
  const std::vector<Overhead>& overheads() const { return overheads_; }
  std::size_t dropped() const { return dropped_; }

  void take(const std::uint8_t* buffer, std::size_t bytes);  // by CUPTI's thread

 private:
  void take_record(const void* record);

  mutable std::mutex mutex_;
  std::unordered_map<std::uint32_t, DeviceWork> work_;
  std::vector<Overhead> overheads_;
  std::size_t dropped_ = 0;
};

}  // namespace workbook::cupti
