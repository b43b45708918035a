#include "workbook/questions.h"

#include <algorithm>

#include "harness/judge/options.h"
#include "harness/judge/state.h"

namespace workbook {

namespace {

using trace::Event;
using trace::EventKind;
using trace::MemoryKind;

Step::Kind kind_of(EventKind kind) {
  switch (kind) {
    case EventKind::alloc:
      return Step::Kind::allocate;
    case EventKind::free:
      return Step::Kind::release;
    case EventKind::copy:
      return Step::Kind::copy;
    case EventKind::memset:
      return Step::Kind::set;
    case EventKind::kernel:
      return Step::Kind::kernel;
    case EventKind::sync:
      return Step::Kind::synchronise;
    default:
      return Step::Kind::other;
  }
}

// Events that are not calls of the program's.
bool is_step(EventKind kind) {
  return kind != EventKind::range && kind != EventKind::fault && kind != EventKind::output &&
         kind != EventKind::note;
}

const char* side(MemoryKind kind) {
  return kind == MemoryKind::pageable || kind == MemoryKind::pinned || kind == MemoryKind::none ? "host"
                                                                                                : "device";
}

double us(std::int64_t ns) {
  return ns < 0 ? -1.0 : static_cast<double>(ns) / 1000.0;
}

Step step_of(const Event& event, const std::string& label) {
  Step step;
  step.kind = kind_of(event.kind);
  step.api = event.api;
  step.name = event.name;
  step.result = event.result;
  if (event.kind == EventKind::copy) {
    step.direction = std::string(side(event.from)) + " to " + side(event.to);
    step.pinned = event.from == MemoryKind::pinned || event.to == MemoryKind::pinned;
  }
  step.claimed = event.direction;
  step.asynchronous = event.asynchronous;
  step.managed = event.kind == EventKind::alloc && event.to == MemoryKind::managed;
  step.bytes = event.bytes;
  step.address = event.address;
  step.source = event.source;
  step.grid = event.grid;
  step.block = event.block;
  step.stream = event.stream;
  step.host_begin_us = us(event.host_begin_ns);
  step.host_end_us = us(event.host_end_ns);
  step.device_begin_us = us(event.device_begin_ns);
  step.device_end_us = us(event.device_end_ns);
  const judge::CallSite site = judge::call_site(event);
  step.file = site.file;
  step.line = site.line;
  step.label = label;
  step.thread = event.thread;
  return step;
}

char letter(const Step& step) {
  switch (step.kind) {
    case Step::Kind::allocate:
      return 'A';
    case Step::Kind::release:
      return 'F';
    case Step::Kind::set:
      return 'M';
    case Step::Kind::kernel:
      return 'K';
    case Step::Kind::synchronise:
      return 'S';
    case Step::Kind::copy:
      if (step.direction == "host to device") return '>';
      return step.direction == "device to host" ? '<' : '=';
    default:
      return '\0';
  }
}

}  // namespace

namespace judge {

Trace make_trace(const Answer& answer) {
  auto state = std::make_shared<Trace::State>();
  state->counters_known = options().simulated;
  for (const auto& [event, label] : in_regions(answer.events)) {
    state->events.push_back(*event);
    state->event_labels.push_back(label);
    if (!is_step(event->kind)) continue;
    state->step_ids.push_back(event->id);
    state->steps.push_back(step_of(*event, label));
    if (event->kind != EventKind::kernel) continue;
    auto& counters = state->counters.emplace_back();
    for (std::size_t i = 0; i < std::min(event->counter_names.size(), event->counter_values.size()); ++i)
      counters.emplace_back(event->counter_names[i], event->counter_values[i]);
  }
  add_ranges(*state);
  return Trace(std::move(state));
}

}  // namespace judge

const std::vector<Step>& Trace::steps() const {
  return state_->steps;
}

std::vector<Step> Trace::of(Step::Kind kind) const {
  std::vector<Step> found;
  std::copy_if(steps().begin(), steps().end(), std::back_inserter(found),
               [&](const Step& s) { return s.kind == kind; });
  return found;
}

std::vector<Step> Trace::copies(std::string_view direction) const {
  auto found = of(Step::Kind::copy);
  std::erase_if(found, [&](const Step& s) { return s.direction != direction; });
  return found;
}

std::vector<Step> Trace::kernels() const {
  return of(Step::Kind::kernel);
}

std::uint64_t Trace::bytes_copied(std::string_view direction) const {
  std::uint64_t bytes = 0;
  for (const Step& step : copies(direction)) bytes += step.result == 0 ? step.bytes : 0;
  return bytes;
}

std::vector<Step> Trace::leaks() const {
  std::vector<Step> live;
  for (const Step& step : steps()) {
    if (step.result != 0 || step.address == 0) continue;
    if (step.kind == Step::Kind::allocate) live.push_back(step);
    if (step.kind == Step::Kind::release)
      std::erase_if(live, [&](const Step& allocation) { return allocation.address == step.address; });
  }
  return live;
}

std::vector<FirstUse> Trace::first_uses() const {
  std::vector<FirstUse> found;
  for (std::size_t i = 0; i < state_->events.size(); ++i) {
    const Event& event = state_->events[i];
    if (!timeline::is_first_use(event)) continue;
    found.push_back({timeline::first_use_kind(event), event.text, state_->event_labels[i],
                     us(event.host_begin_ns), us(event.host_end_ns)});
  }
  return found;
}

std::vector<FirstUse> Trace::first_uses(std::string_view kind) const {
  auto found = first_uses();
  std::erase_if(found, [&](const FirstUse& use) { return use.kind != kind; });
  return found;
}

std::string Trace::letters() const {
  std::string text;
  for (const Step& step : steps()) {
    if (const char c = letter(step)) text += c;
  }
  return text;
}

bool Trace::counters_known() const {
  return state_->counters_known;
}

std::optional<std::uint64_t> Trace::counter(std::size_t kernel, std::string_view name) const {
  if (kernel >= state_->counters.size()) return std::nullopt;
  for (const auto& [known, value] : state_->counters[kernel]) {
    if (known == name) return value;
  }
  return std::nullopt;
}

}  // namespace workbook
