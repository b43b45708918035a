// One call of a driver: the request goes out, a raw answer comes back. On the simulated device each call has
// a process of its own; on a GPU the process is kept until something goes wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/judge/process.h"
#include "trace/event.h"
#include "workbook/schedules.h"

namespace workbook::judge {

struct Item {
  std::string name;
  char mode = 'v';  // protocol.h
  std::size_t element = 1, count = 0;
  std::vector<std::byte> data;  // empty for an output
  std::size_t offset = 0;       // in the blob; set when the request is built
  std::size_t bytes() const { return element * count; }
};

struct Request {
  std::string driver;
  std::vector<Item> items;
  double seconds = 0;                    // 0: the device's default
  std::vector<std::string> environment;  // "NAME=value", besides what every runner gets
  Schedule schedule;
  bool fresh = false;                // a process that serves this run alone
  std::vector<std::string> folders;  // that it may write
  const Item* find(const std::string& name) const;
};

// What somebody else than the workbook's own code did to what the runner tells.
enum class Forgery {
  none,
  answer,  // a response that the driver did not write, or none behind the word that there is one
  trace,   // a line that the recorder did not write
  cut,     // the end of a region is missing, and the runner lived to tell the rest
  flood,   // more than a trace may hold
};

// What came back, unjudged.
struct Answer {
  Outcome outcome;                                     // of the process
  bool complete = false;                               // a whole response with our nonce
  nlohmann::json response = nlohmann::json::object();  // empty when not complete
  std::vector<std::byte> blob;                         // arrays at Item::offset, then bytes of results
  trace::Header header;                                // of the trace
  std::vector<trace::Event> events;                    // of this run only
  std::string trace_trouble;                           // why the trace could not be read
  Forgery forgery = Forgery::none;
  bool stack_overflow = false;  // a signal ended it, and its stack was used up
  std::string printed;          // by the learner's program; at most 64 KiB
  std::size_t printed_bytes = 0;
  double limit_seconds = 0;
};

// Throws std::runtime_error for what is the machine's fault (no memory, no runner).
Answer run_once(Request& request);

// Ends a runner that was kept.
void close_session();

}  // namespace workbook::judge
