#include "cudart/runtime.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "cudart/clock.h"
#include "cudart/frames.h"
#include "cudart/hazards.h"
#include "cudart/modules.h"
#include "trace/call_stack.h"

namespace workbook::cudart {

namespace {

// Warp instructions of one launch: hundreds of times what an exercise needs.
constexpr std::uint64_t default_budget = 400'000'000;
constexpr int broken_setting = 3;  // exit code: our or the machine's fault

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

[[noreturn]] void give_up(const std::string& text) {
  std::fputs(fmt::format("workbook: {}\n", text).c_str(), stderr);
  _exit(broken_setting);
}

std::uint64_t number(const char* name, std::uint64_t otherwise) {
  const char* value = setting(name);
  if (value == nullptr) return otherwise;
  char* end = nullptr;
  const unsigned long long parsed = std::strtoull(value, &end, 10);
  if (*end != '\0' || *value == '-')
    give_up(fmt::format("{} is '{}', which is no whole number", name, value));
  return parsed;
}

}  // namespace

Runtime& Runtime::get() {
  static Runtime* const runtime = new Runtime;
  return *runtime;
}

Runtime::Runtime() {
  const char* name = setting("WORKBOOK_PROFILE");
  try {
    profile_ = &model::find_profile(name != nullptr ? name : "h200@1");
  } catch (const std::exception& error) {
    give_up(fmt::format("WORKBOOK_PROFILE: {}", error.what()));
  }
  apply_environment();
  engine_ = std::make_unique<Engine>(costs().launch_gap);
  hazards_ = std::make_unique<Hazards>();
  engine_->on_knowledge = [] {
    Runtime& runtime = Runtime::get();
    runtime.hazards().host_learned(runtime.engine().host_knowledge());
  };
  set_clock_read_cost(costs().clock_read);
  scheduler().set_device(engine_.get());
}

Runtime::~Runtime() = default;

void Runtime::apply_environment() {
  options_.seed = number("WORKBOOK_SEED", options_.seed);
  options_.host_threads = static_cast<std::uint32_t>(number("WORKBOOK_SIM_THREADS", 0));
  options_.instruction_budget = number("WORKBOOK_INSTRUCTION_BUDGET", default_budget);
  quiet_ = setting("WORKBOOK_QUIET") != nullptr;
  Modules::get().read_settings();
  writer_ = trace::TraceWriter::from_environment();
}

sim::Device& Runtime::device() {
  if (device_ == nullptr) {
    device_ =
        std::make_unique<sim::Device>(model::limits_of(*profile_), model::latencies_of(*profile_), options_);
  }
  return *device_;
}

void Runtime::need_driver() {
  if (driver_started_) return;
  driver_started_ = true;
  pay_once("driver", "the driver starts", costs().driver_start);
}

void Runtime::need_context() {
  if (context_exists_) return;
  context_exists_ = true;
  pay_once("context", "the context of the device is made", costs().context_creation);
  device();
  Modules::get().load_early();
}

void Runtime::fail_device(int error, std::int64_t at) {
  if (sticky_ == 0) sticky_ = error;
  engine_->abandon(at);
}

void Runtime::reset_device() {
  engine_->wait_for_all();
  hazards_->forget_all();
  show_output();
  Modules::get().forget_device();
  allocations.clear();
  if (device_ != nullptr) {
    for (const auto& [base, range] : host_ranges) memory().unmap_host(reinterpret_cast<void*>(base));
  }
  host_ranges.clear();
  if (hazards_->active()) hazards_ = std::make_unique<Hazards>();
  device_.reset();
  context_exists_ = false;
}

void Runtime::begin_trace() {
  trace_begun_ = true;
  writer_.start({.device = "simulated",
                 .device_name = model::device_name_of(*profile_),
                 .profile = model::name_of(*profile_),
                 .modelled = true,
                 .executable = trace::executable_path()});
}

void Runtime::write(const trace::Event& event) {
  if (!writer_.active()) return;
  if (!trace_begun_) begin_trace();
  writer_.add(event);
}

void Runtime::note(const std::string& name, const std::string& text, const std::string& detail_json) {
  trace::Event event;
  event.kind = trace::EventKind::note;
  event.id = next_id();
  event.thread = scheduler().self().index;
  event.host_begin_ns = event.host_end_ns = now();
  event.name = name;
  event.text = text;
  event.detail_json = detail_json;
  if (tracing()) event.frames = capture_frames();
  write(event);
}

void Runtime::pay_once(const char* kind, const std::string& text, std::int64_t ns) {
  const std::int64_t since = now();
  spend(ns);
  if (!tracing()) return;
  trace::Event event;
  event.kind = trace::EventKind::note;
  event.id = next_id();
  event.thread = scheduler().self().index;
  event.host_begin_ns = since;
  event.host_end_ns = now();
  event.name = "overhead";
  event.text = text;
  event.detail_json = fmt::format(R"({{"kind":"{}"}})", kind);
  write(event);
}

void Runtime::remark(const std::string& name, const std::string& text) {
  note(name, text);
  if (quiet_) return;
  std::string report = fmt::format("workbook: {}\n", text);
  if (const std::string place = describe_place(capture_frames()); !place.empty()) {
    report += fmt::format("  {:<10} {}\n", "called", place);
  }
  std::fputs(report.c_str(), stderr);
}

const HostRange* Runtime::host_range(std::uint64_t address) const {
  auto after = host_ranges.upper_bound(address);
  if (after == host_ranges.begin()) return nullptr;
  --after;
  return address - after->first < after->second.size ? &after->second : nullptr;
}

PointerFacts Runtime::facts(const void* pointer) {
  PointerFacts out;
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (const HostRange* range = host_range(address)) {
    out.kind = range->kind;
    out.base = range->base;
    out.size = range->size;
    out.host = range;
    return out;
  }
  if (device_ == nullptr || !memory().is_device_address(address)) return out;
  out.kind = trace::MemoryKind::device;
  out.device = memory().find(address);
  out.dead = out.device == nullptr || out.device->freed;
  if (out.device != nullptr) {
    out.base = out.device->base;
    out.size = out.device->size;
  }
  return out;
}

void Runtime::show_output() {
  if (output_.empty()) return;
  const std::string text = std::move(output_);
  output_.clear();
  std::fwrite(text.data(), 1, text.size(), stdout);
  trace::Event event;
  event.kind = trace::EventKind::output;
  event.id = next_id();
  event.thread = scheduler().self().index;
  event.host_begin_ns = event.host_end_ns = now();
  event.text = text;
  write(event);
}

}  // namespace workbook::cudart
