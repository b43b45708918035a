// What Run and Result know of one call, shared by their parts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/judge/session.h"
#include "timeline/analysis.h"
#include "trace/record.h"
#include "trace/symbolize.h"
#include "workbook/check.h"

namespace workbook {

struct Trace::State {
  std::vector<Step> steps;
  std::vector<std::vector<std::pair<std::string, std::uint64_t>>> counters;  // by kernel
  bool counters_known = false;
  std::vector<trace::Event> events;       // of the regions, by number; the timeline points into them
  std::vector<std::string> event_labels;  // of the region, beside each of them
  std::vector<std::uint64_t> step_ids;
  std::unique_ptr<timeline::Timeline> timeline;
  std::vector<Range> ranges;
  std::vector<RangeName> range_names;
};

struct Result::State {
  judge::Request request;
  judge::Answer answer;
  std::string say;
  mutable std::unique_ptr<Trace> trace;  // made when it is first asked for
};

namespace judge {

// One exercise's id, for the bounds.
const std::string& exercise_id();

// Where in the learner's files a call of the trace was made; empty when it is unknown.
struct CallSite {
  std::string file;
  std::uint32_t line = 0;
  bool known() const { return line > 0; }
  std::string words() const;  // " at line 31", or nothing
};
CallSite call_site(const trace::Event& event);
// The path as the caller of the judge named it, for a file a compiler named in its own way.
std::string learner_path(const std::string& recorded);

// The first thing that is wrong apart from values, or nothing: fault, crash, API error, guards, inputs.
std::optional<trace::Failure> dirt(const Result::State& state, std::string_view leads_on);
// The failure for a fault that the simulated device saw.
trace::Failure fault_failure(const Result::State& state, const trace::Event& event);
Trace make_trace(const Answer& answer);
// What the counters of the regions' kernels say about wasted memory traffic, a sentence each; on a GPU
// nothing.
std::vector<std::string> memory_words(const Trace& trace);
void add_ranges(Trace::State& state);  // once its events are there: ranges and timeline
// The events of the learner regions, with their labels.
struct InRegion {
  const trace::Event* event;
  std::string label;
};
std::vector<InRegion> in_regions(const std::vector<trace::Event>& events);

}  // namespace judge

}  // namespace workbook
