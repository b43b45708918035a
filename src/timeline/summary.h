// A run in words: what kept the device from computing, how much, and what to mend first. Made once from a
// Timeline; the terminal, the page and the JSON of `profile` all show the same sentences.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "timeline/analysis.h"
#include "trace/event.h"

namespace workbook::timeline {

// Where in the source a call was made: "saxpy.cu:31"; empty when it is unknown.
using PlaceOf = std::function<std::string(const trace::Event&)>;

struct CauseShare {
  Cause cause{};
  std::int64_t time = 0;  // of all its gaps, ns
  std::size_t gaps = 0;
  std::string what;  // what stood in most of that time: the range, the call
  bool pageable = false;
};

struct KernelTotal {
  std::string name;
  std::size_t launches = 0;
  std::int64_t time = 0;  // the sum of its durations, ns
};

struct CopyTotal {
  std::string direction;  // "host to device"
  bool pageable = false;
  std::size_t copies = 0;
  std::uint64_t bytes = 0;
  std::int64_t time = 0;
};

// All ranges of one name.
struct RangeTotal {
  std::string name;
  std::size_t count = 0;
  int depth = 0;
  std::int64_t host = 0;    // from begin to end, ns
  std::int64_t device = 0;  // of the operations whose calls were made inside: their union per range, ns
};

struct Summary {
  std::string device;  // "NVIDIA H200 (simulated)", "h200@1"
  bool modelled = false;
  Interval window;
  double busy = 0, copy_busy = 0, overlap = 0;
  std::vector<CauseShare> causes;  // the largest first
  std::vector<Gap> longest;        // gaps, the longest first, at most five
  std::vector<KernelTotal> kernels;
  std::vector<CopyTotal> copies;
  std::vector<RangeTotal> ranges;   // in the order in which they first began
  std::vector<std::string> before;  // what came before the first operation: "context 234 ms"
  std::string headline;             // the first sentence; names the cause
  std::string figures;              // kernels, copies, overlap in one line
  std::vector<std::string> advice;  // what to mend, first things first
};

Summary summarize(const Timeline& timeline, const trace::Header& header, const PlaceOf& place);

// "4.21 ms", "312 us", "18 ns": three figures and a unit.
std::string time_words(std::int64_t ns);
std::string bytes_words(std::uint64_t bytes);
std::string percent(double share);  // "61 %"
// "host to device", by what the memory at both ends is.
std::string direction_of(const trace::Event& copy);

}  // namespace workbook::timeline
