// What judge and runner say to each other.
//
// The judge starts the runner with two descriptors: a socket (WORKBOOK_CONTROL_FD) and the trace
// (WORKBOOK_TRACE_FD). For each run it sends one message over the socket that carries two more: the request,
// a sealed file in memory, and the response, a file in memory of fixed size. The runner answers with one byte
// when the response is complete, and waits for the next message; a closed socket ends it. A response counts
// only when it is complete, repeats the request's nonce, and its JSON text is sealed (trace/seal.h; the
// number under the seal is the exclusive or of the two words of the nonce). Nothing else the runner does is
// evidence: not its exit code, not what it prints.
//
//   file  = Head, JSON text of `json_bytes`, and from `blob_offset` on the arrays, each aligned to 64 bytes
//
// Request JSON:  {"driver", "items": [{"name", "mode", "element", "count", "offset"}], "schedule": [kind,
// number]}
//   mode: v scalar, t text, i input array, b array in and out, o output array; `offset` counts from the start
//   of the blob. An array of mode b or o has the same offset in the response's blob.
// Response JSON: {"status": "ok" | "grader_error" | "no_device" | "exception", "text",
//   "results": {name: {"kind": "number" | "integer" | "text" | "bytes", "value" | "offset", "bytes"}},
//   "measured": {name: {"learner_us", "baseline_us", "ratio", "noise", "pairs"}},
//   "taken": [names of output arrays the driver used], "sticky": bool,
//   "regions": [{"label", "left": error name, "left_text", "sync", "sync_text"}],
//   "regions_recorded": how many have an end in the trace,
//   "guards": [{"name", "side": "before" | "after", "offset", "bytes"}],
//   "changed": [{"name", "index", "was", "now"}]}                       (elements as hexadecimal bytes)
// Bytes of results stand behind the arrays in the response's blob.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace workbook::protocol {

inline constexpr std::uint64_t request_magic = 0x31515242'4b4f4f57;   // "WOOKBRQ1"
inline constexpr std::uint64_t response_magic = 0x31535242'4b4f4f57;  // "WOOKBRS1"
inline constexpr std::size_t blob_alignment = 64;
inline constexpr std::size_t json_room = std::size_t{4} << 20;  // for the response's JSON
inline constexpr std::size_t result_room = std::size_t{64}
                                           << 20;  // for Call::result_bytes; costs nothing unused

struct Head {
  std::uint64_t magic = 0;
  std::array<std::uint64_t, 2> nonce{};
  std::uint64_t json_bytes = 0;
  std::uint64_t blob_offset = 0;
  std::uint64_t blob_bytes = 0;
  std::uint64_t seal = 0;      // response: of the JSON text
  std::uint64_t remark = 0;    // response: what the runner knows of its own end, see below
  std::uint64_t complete = 0;  // response: written last
};

// Head::remark of a runner that a signal ended.
inline constexpr std::uint64_t remark_stack_overflow = 1;

inline constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + blob_alignment - 1) / blob_alignment * blob_alignment;
}

// What the runner's one-byte answer says: the process may serve another run, or should be replaced.
inline constexpr char answer_ready = 'r';
inline constexpr char answer_spent = 's';

}  // namespace workbook::protocol
