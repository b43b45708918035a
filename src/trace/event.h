// The record of what a program did on a device: one Event per API call, kernel, copy, allocation, fault.
//
// File form: JSON Lines, schema "workbook-trace/1" (docs/trace-schema.md). The first line is the header, each
// further line one event, appended as it happens, so that a crash loses nothing. The producer finds the file
// descriptor in WORKBOOK_TRACE_FD. Two producers write it: the simulated CUDA runtime (src/cudart), and on a
// GPU the interposer in the runner (src/harness/runner). Events are ordered within one stream or one host
// thread; between them only times order, and every time of a file is of one sort: modelled or measured.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace workbook::trace {

inline constexpr const char* schema = "workbook-trace/1";

enum class EventKind : std::uint8_t {
  alloc,
  free,
  copy,
  memset,
  kernel,
  sync,
  stream,
  event,
  api,     // what the program asked for
  range,   // an NVTX range begins or ends, or a mark
  fault,   // a learner's mistake, see sim/fault.h
  output,  // device printf
  note,    // the producer's own remarks (unsupported call, ...)
};

enum class MemoryKind : std::uint8_t { none, pageable, pinned, device, managed, array };

// The number that an NVTX range carries. Only the member that `type` names is set.
struct Payload {
  std::string type;           // "int64", "uint64", "int32", "uint32", "double", "float"; empty: none
  std::int64_t integer = 0;   // int64, int32
  std::uint64_t natural = 0;  // uint64, uint32
  double real = 0;            // double, float
  bool operator==(const Payload&) const = default;
};

// A place in the program: an address in the executable, resolved to file and line later (trace/symbolize.h).
struct Event {
  EventKind kind{};
  std::uint64_t id = 0;     // from 1, in order of the calls
  std::string api;          // "cudaMemcpyAsync"; for a kernel "cudaLaunchKernel"
  int result = 0;           // cudaError_t the call returned
  std::string result_name;  // "cudaErrorInvalidValue"; empty for success
  int thread = 0;           // host thread, 0 = main
  int stream = 0;           // 0 = legacy default; others numbered from 1 in order of creation
  std::int64_t host_begin_ns = -1, host_end_ns = -1;      // of the call, since the trace began
  std::int64_t device_begin_ns = -1, device_end_ns = -1;  // on the device; -1 where there is none or unknown
  // alloc, free, copy, memset
  std::uint64_t address = 0;  // alloc, free, memset: the block; copy: destination
  std::uint64_t source = 0;   // copy
  std::uint64_t bytes = 0;
  MemoryKind from = MemoryKind::none, to = MemoryKind::none;  // copy; alloc and free use `to`
  std::string direction;      // copy: the kind that was passed: "HostToDevice", "Default", ...
  bool asynchronous = false;  // the ...Async form
  // kernel
  std::string name;  // kernel (demangled, without parameters), range, allocation, sync object
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t dynamic_shared = 0, static_shared = 0, registers = 0;
  std::string bound_by;                    // model only
  std::vector<std::string> counter_names;  // parallel arrays: Nsight Compute's names and values
  std::vector<std::uint64_t> counter_values;
  // range: two events, one where it begins (push, start) and one where it ends (pop, end), or a mark. What is
  // set up for ranges stands here too: a domain that is made, a category that gets its name, a registered
  // text.
  std::string phase;           // "push", "pop", "start", "end", "mark"; "domain", "category", "string"
  std::string domain;          // empty: the global one
  std::uint64_t begun_by = 0;  // pop, end: `id` of the event that began it; 0: there was none
  std::uint32_t category = 0;
  std::string category_name;  // as far as it was named before
  std::uint32_t color = 0;    // ARGB; 0: none
  bool registered = false;    // the text is a registered string
  Payload payload;
  // fault, output, note: free text, and for a fault the JSON of sim::Fault
  std::string text;
  std::string detail_json;
  // the call stack of the API call, innermost first: addresses relative to the executable's load base
  std::vector<std::uint64_t> frames;
};

struct Header {
  std::string device;       // "simulated" or "gpu"
  std::string device_name;  // "NVIDIA H200 (simulated)"
  std::string profile;      // "h200@1"; empty on a GPU
  bool modelled = false;    // else measured
  std::string executable;
};

const char* name_of(MemoryKind);
// What a copy was claimed to be, by the number of cudaMemcpyKind: "HostToDevice". Numbers that CUDA does not
// have are "invalid".
const char* copy_direction(int kind);

nlohmann::json to_json(const Header&);
nlohmann::json to_json(const Event&);
Event event_from_json(const nlohmann::json&);  // throws std::runtime_error on a wrong shape
Header header_from_json(const nlohmann::json&);

}  // namespace workbook::trace
