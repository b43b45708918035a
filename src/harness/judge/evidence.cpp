// What is wrong with a call apart from its values, the first cause first: a fault that the device saw, a
// crash, a CUDA error left behind, damaged guards, a changed input.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <stdexcept>

#include "harness/judge/cases.h"
#include "harness/judge/conditions.h"
#include "harness/judge/options.h"
#include "harness/judge/state.h"

namespace workbook::judge {

using nlohmann::json;
using trace::Event;
using trace::EventKind;
using trace::Failure;

namespace {

constexpr int success = 0, not_ready = 600;  // cudaSuccess, cudaErrorNotReady

// The same few addresses come back in every run of an exercise.
trace::Places& known_places() {
  static trace::Places instance;
  return instance;
}

void resolve(const std::vector<std::uint64_t>& addresses) {
  std::vector<std::uint64_t> unknown;
  for (const auto address : addresses) {
    if (known_places().find(address) == known_places().end()) unknown.push_back(address);
  }
  if (unknown.empty()) return;
  try {
    known_places().merge(trace::symbolize(options().runner, unknown));
  } catch (const std::runtime_error&) {
    // Without addr2line a message has no line; that is no reason to have no message.
  }
  for (const auto address : unknown) known_places()[address];
}

const Event* first_fault(const Answer& answer) {
  for (const Event& event : answer.events) {
    if (event.kind == EventKind::fault) return &event;
  }
  return nullptr;
}

// "The last CUDA call was cudaMemcpy at line 31." Empty when there was none.
std::string last_call(const Answer& answer, trace::Failure& failure) {
  const auto regions = in_regions(answer.events);
  for (auto entry = regions.rbegin(); entry != regions.rend(); ++entry) {
    if (entry->event->api.empty()) continue;
    const CallSite site = call_site(*entry->event);
    if (site.known())
      failure.places.push_back({site.file, site.line, 0, "the last CUDA call before the end"});
    return fmt::format("The last CUDA call was {}{}.", entry->event->api, site.words());
  }
  return {};
}

Failure ending_failure(const Result::State& state, std::string_view leads_on) {
  const Outcome& outcome = state.answer.outcome;
  Failure failure;
  std::string what;
  if (outcome.ending == Ending::timed_out) {
    failure.outcome = trace::Outcome::timed_out;
    failure.kind = failure.code = "timeout";
    what = fmt::format("the call did not come back within {:g} s.", state.answer.limit_seconds);
    failure.evidence.push_back(
        "Perhaps it would never end; perhaps it would, and does far more than it need.");
    failure.question = "Which loop or which wait may never end, or goes round too often?";
  } else if (outcome.ending == Ending::memory) {
    failure.outcome = trace::Outcome::crashed;
    failure.kind = "crash";
    failure.code = "memory";
    what = fmt::format("the program took more than {:.3g} GiB of memory.",
                       static_cast<double>(conditions().memory_bytes) / double(1 << 30));
    failure.question = "Which allocation, or which loop of them, is larger than it need be?";
  } else if (outcome.ending == Ending::signalled && outcome.code == SIGSYS) {
    failure.outcome = trace::Outcome::crashed;
    failure.kind = "contract";
    failure.code = "system_call";
    what = "the program was ended by " + signal_words(outcome.code) + ".";
    failure.question = "What does the code want from the system that CUDA and C++ do not give?";
  } else if (outcome.ending == Ending::signalled && state.answer.stack_overflow) {
    failure.outcome = trace::Outcome::crashed;
    failure.kind = "crash";
    failure.code = "stack_overflow";
    what = "the host's stack was used up (SIGSEGV).";
    failure.evidence.push_back(
        "The stack of a host thread holds a few MiB: its local arrays, and what each call of a function "
        "leaves.");
    failure.question = "Which function calls itself without an end, or which local array is too large?";
  } else if (outcome.ending == Ending::signalled) {
    failure.outcome = trace::Outcome::crashed;
    failure.kind = failure.code = "crash";
    what = fmt::format("the program was ended by {}.", signal_words(outcome.code));
    failure.question = "Which pointer or which index in the host code may be wrong?";
  } else {
    failure.outcome = trace::Outcome::crashed;
    failure.kind = "crash";
    failure.code = "ended_early";
    what = fmt::format("the program ended by itself before the call was done (exit code {}).", outcome.code);
    failure.question = "Does anything in the code end the program, exit() for example?";
  }
  failure.headline = first_wrong(state.say, what);
  if (const auto last = last_call(state.answer, failure); !last.empty()) failure.evidence.push_back(last);
  if (!leads_on.empty() && outcome.ending == Ending::timed_out) failure.question = leads_on;
  return failure;
}

Failure exception_failure(const Result::State& state) {
  Failure failure;
  failure.outcome = trace::Outcome::crashed;
  failure.kind = "crash";
  failure.code = "exception";
  failure.headline = first_wrong(
      state.say, fmt::format("the code threw an exception: {}", state.answer.response.value("text", "")));
  failure.question = "Who should catch it?";
  return failure;
}

// The call of the learner's that returned the error which was left behind.
const Event* call_that_returned(const std::vector<InRegion>& regions, const std::string& error) {
  for (const auto& [event, label] : regions) {
    if (event->result != success && event->result != not_ready && event->result_name == error) return event;
  }
  return nullptr;
}

// Timed code runs outside the regions; its calls are those with a line in the learner's file.
const Event* call_outside_regions(const Answer& answer, const std::string& error) {
  for (const Event& event : answer.events) {
    if (event.result != success && event.result_name == error && call_site(event).known()) return &event;
  }
  return nullptr;
}

std::string product_words(const std::array<std::uint32_t, 3>& d) {
  return fmt::format("{} x {} x {}", d[0], d[1], d[2]);
}

// What was asked for, and which limit of every device it passes.
std::vector<std::string> launch_evidence(const Event& launch) {
  std::vector<std::string> lines{fmt::format("The grid was {} blocks of {} threads.",
                                             product_words(launch.grid), product_words(launch.block))};
  const auto& [x, y, z] = launch.block;
  const std::uint64_t threads = std::uint64_t{x} * y * z;
  if (threads > 1024)
    lines.push_back(fmt::format("That is {} threads a block; a block has at most 1024.", threads));
  if (threads == 0) lines.push_back("A block has at least one thread along each axis.");
  if (threads <= 1024 && z > 64)
    lines.push_back(fmt::format("A block has at most 64 threads along z, not {}.", z));
  if (launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0)
    lines.push_back("A grid has at least one block along each axis.");
  for (const int axis : {1, 2}) {
    if (launch.grid[axis] > 65535)
      lines.push_back(fmt::format("A grid has at most 65535 blocks along {}, not {}.", axis == 1 ? 'y' : 'z',
                                  launch.grid[axis]));
  }
  return lines;
}

// The check's own question is about its elements: who takes which, and how many there are. A pointer of the
// wrong side, or memory that is given back twice, has the question that belongs to it.
bool is_about_elements(const std::string& fault) {
  constexpr std::array others{"host_pointer",   "host_dereference", "double_free",       "bad_free",
                              "bad_kind",       "null_pointer",     "unordered",         "use_after_free",
                              "source_changed", "race_shared",      "divergent_barrier", "absent_lanes"};
  return std::find(others.begin(), others.end(), fault) == others.end();
}

std::optional<Failure> api_failure(const Result::State& state, std::string_view leads_on) {
  for (const json& region : state.answer.response.value("regions", json::array())) {
    const bool left = !region.value("left", "").empty();
    const std::string error = left ? region.value("left", "") : region.value("sync", "");
    if (error.empty()) continue;
    const std::string text = region.value(left ? "left_text" : "sync_text", "");
    Failure failure;
    failure.kind = "api_error";
    failure.code = error;
    const auto regions = in_regions(state.answer.events);
    const Event* event = call_that_returned(regions, error);
    if (event == nullptr) event = call_outside_regions(state.answer, error);
    if (event != nullptr) {
      const CallSite site = call_site(*event);
      const bool launch = event->kind == EventKind::kernel;
      const std::string who = launch ? fmt::format("the launch of {}", event->name) : event->api;
      failure.headline = first_wrong(state.say, fmt::format("{}{} returned {}.", who, site.words(), error));
      if (site.known())
        failure.places.push_back({site.file, site.line, 0, fmt::format("returned {}", error)});
      if (launch) failure.evidence = launch_evidence(*event);
    } else {
      failure.headline =
          first_wrong(state.say, left ? fmt::format("an error was left behind: {}.", error)
                                      : fmt::format("the work on the device failed: {}.", error));
    }
    failure.evidence.push_back(fmt::format("{} means: {}.", error, text));
    if (!left && !options().simulated)
      failure.evidence.push_back(
          "The GPU does not say where. On the simulated device the check names thread and line.");
    const bool other_call = event != nullptr && event->kind != EventKind::kernel;
    failure.question = leads_on.empty() || other_call
                           ? "What does this call ask for that the device can't give?"
                           : std::string(leads_on);
    return failure;
  }
  return std::nullopt;
}

std::size_t element_size(const Result::State& state, const std::string& name) {
  const Item* item = state.request.find(name);
  return item == nullptr || item->element == 0 ? 1 : item->element;
}

std::optional<Failure> guard_failure(const Result::State& state, std::string_view leads_on) {
  const json guards = state.answer.response.value("guards", json::array());
  if (guards.empty()) return std::nullopt;
  const json& guard = guards.front();
  const std::string name = guard.value("name", "");
  const Item* item = state.request.find(name);
  const auto size = static_cast<std::int64_t>(element_size(state, name));
  const auto count = static_cast<std::int64_t>(item == nullptr ? 0 : item->count);
  const auto offset = guard.value("offset", std::int64_t{0});
  const bool before = guard.value("side", "") == "before";
  // `offset` counts bytes from the end of the array, or back from its begin.
  const std::int64_t index = before ? -((offset + size) / size) : count + offset / size;
  Failure failure;
  failure.kind = "fault";
  failure.code = "out_of_bounds";
  failure.headline = first_wrong(
      state.say, before ? fmt::format("{}[{}] was written, and {} begins at {}[0].", name, index, name, name)
                        : fmt::format("{}[{}] was written, and {} has {} element{}.", name, index, name,
                                      count, count == 1 ? "" : "s"));
  failure.evidence.push_back(fmt::format("Guard bytes {} the array are damaged: {} of them.",
                                         before ? "before" : "behind", guard.value("bytes", 0)));
  failure.question =
      leads_on.empty() ? "Which index is the largest that your code can reach?" : std::string(leads_on);
  return failure;
}

std::optional<Failure> changed_failure(const Result::State& state) {
  const json changed = state.answer.response.value("changed", json::array());
  if (changed.empty()) return std::nullopt;
  const std::string name = changed.front().value("name", "");
  Failure failure;
  failure.kind = "contract";
  failure.code = "input_changed";
  failure.headline =
      first_wrong(state.say, fmt::format("{}[{}] was changed, and {} is an input.", name,
                                         changed.front().value("index", std::uint64_t{0}), name));
  failure.question = fmt::format("Which line writes to {}?", name);
  return failure;
}

}  // namespace

std::string learner_path(const std::string& recorded) {
  for (const std::string& file : options().learner_files) {
    if (base_name(file) == base_name(recorded)) return file;
  }
  return recorded;
}

std::string CallSite::words() const {
  return known() ? fmt::format(" at line {}", line) : std::string();
}

CallSite call_site(const Event& event) {
  if (event.frames.empty()) return {};
  resolve(event.frames);
  const auto frames = trace::frames_of(event.frames, known_places());
  std::vector<std::string> names;
  for (const auto& file : options().learner_files) names.push_back(base_name(file));
  const bool launch = event.kind == EventKind::kernel;
  const trace::Frame* frame =
      trace::first_frame_in(names, frames, launch ? std::string_view(event.name) : std::string_view());
  if (frame == nullptr) return {};
  return {learner_path(frame->file), frame->line};
}

std::vector<InRegion> in_regions(const std::vector<Event>& events) {
  std::vector<InRegion> inside;
  std::vector<std::string> open;
  for (const Event& event : events) {
    // A region is two notes, see src/cudart/handshake.h: wbRegion.
    if (event.kind == EventKind::note && event.name == "region") {
      const json detail = json::parse(event.detail_json, nullptr, /*allow_exceptions=*/false);
      if (detail.is_object() && detail.value("begin", false))
        open.push_back(event.text);
      else if (!open.empty())
        open.pop_back();
    } else if (!open.empty()) {
      inside.push_back({&event, open.back()});
    }
  }
  return inside;
}

std::optional<Failure> dirt(const Result::State& state, std::string_view leads_on) {
  if (const Event* event = first_fault(state.answer)) {
    Failure failure = fault_failure(state, *event);
    if (!leads_on.empty() && is_about_elements(failure.code)) failure.question = leads_on;
    return failure;
  }
  if (!state.answer.complete) return ending_failure(state, leads_on);
  if (state.answer.response.value("status", "") == "exception") return exception_failure(state);
  if (auto failure = api_failure(state, leads_on)) return failure;
  if (auto failure = guard_failure(state, leads_on)) return failure;
  return changed_failure(state);
}

}  // namespace workbook::judge
