// One CUDA call of the program as the recorder keeps it until the end: plain numbers, so that keeping it
// costs little. What the device did for it is found later by its correlation number (activities.h).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/event.h"

namespace workbook::cupti {

struct Call {
  const char* api = "";  // lives for ever: of the table in calls.cpp
  const char* name = "";
  trace::EventKind kind = trace::EventKind::api;
  std::uint32_t correlation = 0;
  int result = 0, thread = 0, stream = 0;
  std::int64_t begin = 0, end = 0;  // CUPTI's clock
  std::uint64_t address = 0, source = 0, bytes = 0;
  trace::MemoryKind from = trace::MemoryKind::none, to = trace::MemoryKind::none;
  int copy_kind = -1;  // cudaMemcpyKind; -1: no copy
  bool asynchronous = false;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t dynamic_shared = 0;
  const char* symbol = nullptr;       // of a kernel: its mangled name
  std::vector<std::uint64_t> frames;  // not of launches: looking takes longer than a launch
};

}  // namespace workbook::cupti
