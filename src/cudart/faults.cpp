#include "cudart/faults.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cudart/api.h"
#include "cudart/frames.h"
#include "trace/call_stack.h"

namespace workbook::cudart {

using nlohmann::json;

namespace {

json to_json(const sim::SourceLine& at) {
  return {{"file", at.file}, {"line", at.line}, {"column", at.column}};
}

json to_json(const sim::AllocationFacts& a) {
  return {{"known", a.known}, {"id", a.id},     {"name", a.name},
          {"base", a.base},   {"size", a.size}, {"offset", a.offset}};
}

json to_json(const sim::Fault& f) {
  json called = json::array();
  for (const auto& line : f.called_from) called.push_back(to_json(line));
  json out{{"kind", sim::name_of(f.kind)},
           {"kernel", f.kernel},
           {"block", f.block},
           {"thread", f.thread},
           {"at", to_json(f.at)},
           {"called_from", std::move(called)},
           {"address", f.address},
           {"bytes", f.bytes},
           {"is_write", f.is_write},
           {"threads_at_fault", f.threads_at_fault},
           {"allocation", to_json(f.allocation)}};
  if (f.has_other)
    out["other"] = {{"block", f.other_block}, {"thread", f.other_thread}, {"at", to_json(f.other_at)}};
  return out;
}

std::string dims(const std::array<std::uint32_t, 3>& d) {
  return fmt::format("({}, {}, {})", d[0], d[1], d[2]);
}

// "  12 | y[i] = x[i];" of a source file that is still there.
std::string source_text(const sim::SourceLine& at) {
  std::ifstream in(at.file);
  std::string text;
  for (std::uint32_t line = 0; line < at.line; ++line) {
    if (!std::getline(in, text)) return {};
  }
  return fmt::format("{:>6} | {}\n", at.line, text);
}

void add_line(std::string& report, const char* what, const std::string& place) {
  if (!place.empty()) report += fmt::format("  {:<10} {}\n", what, place);
}

void show(const std::string& report) {
  std::fflush(stdout);
  std::fputs(report.c_str(), stderr);
}

const AllocationRecord* record_of(const Runtime& runtime, std::uint64_t id) {
  const auto found = runtime.allocations.find(id);
  return found == runtime.allocations.end() ? nullptr : &found->second;
}

void add_record(json& detail, const AllocationRecord* record) {
  if (record == nullptr) return;
  detail["allocated_by"] = record->api;
  detail["allocated_frames"] = record->allocated;
  if (record->freed_by.empty()) return;
  detail["freed_by"] = record->freed_by;
  detail["freed_frames"] = record->freed;
}

void add_record_lines(std::string& report, const sim::AllocationFacts& allocation,
                      const AllocationRecord* record) {
  if (!allocation.known) return;
  const std::string name = allocation.name.empty() ? std::string() : allocation.name + ": ";
  report += fmt::format("  {:<10} {}{} bytes at {:#x}\n", "memory", name, allocation.size, allocation.base);
  if (record == nullptr) return;
  add_line(report, "allocated", describe_place(record->allocated));
  if (!record->freed_by.empty()) add_line(report, "freed", describe_place(record->freed));
}

trace::Event fault_event(Runtime& runtime, const std::string& text, const json& detail,
                         const trace::Event& call) {
  trace::Event event;
  event.kind = trace::EventKind::fault;
  event.id = runtime.next_id();
  event.api = call.api;
  event.thread = call.thread;
  event.stream = call.stream;
  event.host_begin_ns = call.host_begin_ns;
  event.name = call.name;
  event.text = text;
  event.detail_json = detail.dump(-1, ' ', false, json::error_handler_t::replace);
  event.frames = call.frames;
  return event;
}

}  // namespace

int error_of(sim::FaultKind kind) {
  using K = sim::FaultKind;
  switch (kind) {
    case K::out_of_bounds:
    case K::use_after_free:
    case K::host_pointer:
    case K::write_to_constant:
    case K::shared_out_of_bounds:
    case K::local_out_of_bounds:
      return cudaErrorIllegalAddress;
    case K::misaligned:
      return cudaErrorMisalignedAddress;
    case K::assertion:
      return cudaErrorAssert;
    case K::stack_overflow:
      return cudaErrorHardwareStackError;
    case K::illegal_instruction:
      return cudaErrorIllegalInstruction;
    case K::endless_kernel:
    case K::deadlock:
      return cudaErrorLaunchTimeout;
    case K::trap:
    case K::uninitialised_read:
    case K::race_shared:
    case K::race_global:
    case K::divergent_barrier:
    case K::absent_lanes:
      return cudaErrorLaunchFailure;
  }
  return cudaErrorLaunchFailure;
}

void report_kernel_fault(const sim::Fault& fault, const trace::Event& launch, std::int64_t at) {
  Runtime& runtime = Runtime::get();
  ++runtime.totals.faults;
  const AllocationRecord* const record = record_of(runtime, fault.allocation.known ? fault.allocation.id : 0);
  json detail = to_json(fault);
  add_record(detail, record);
  std::string text = fault.text;
  if (fault.kind == sim::FaultKind::host_pointer) {
    text += fmt::format("; the address lies in {}", host_place(fault.address));
    detail["host_place"] = host_place(fault.address);
  }
  trace::Event event = fault_event(runtime, text, detail, launch);
  event.device_begin_ns = event.device_end_ns = at;
  runtime.write(event);
  if (runtime.quiet()) return;

  std::string report =
      fmt::format("\n=== workbook: {} in kernel {}\n  {}\n", sim::name_of(fault.kind), fault.kernel, text);
  report += fmt::format("  {:<10} thread {} of block {}\n", "who", dims(fault.thread), dims(fault.block));
  if (!fault.at.file.empty()) {
    report += fmt::format("  {:<10} {}:{}\n{}", "where", fault.at.file, fault.at.line, source_text(fault.at));
  }
  if (fault.has_other) {
    report += fmt::format("  {:<10} thread {} of block {}", "other", dims(fault.other_thread),
                          dims(fault.other_block));
    if (!fault.other_at.file.empty())
      report += fmt::format(", {}:{}", fault.other_at.file, fault.other_at.line);
    report += '\n';
  }
  add_record_lines(report, fault.allocation, record);
  add_line(report, "launched", describe_place(launch.frames, launch.name));
  show(report);
}

void remark_absent_source(const sim::Fault& what, const trace::Event& launch) {
  trace::Event event = fault_event(Runtime::get(), what.text, to_json(what), launch);
  event.kind = trace::EventKind::note;
  event.name = "absent_source";
  Runtime::get().write(event);
}

void report_host_fault(const HostFault& fault, const trace::Event& call) {
  Runtime& runtime = Runtime::get();
  ++runtime.totals.faults;
  json detail{{"kind", fault.kind}, {"api", call.api}, {"address", fault.about}, {"bytes", fault.bytes}};
  if (!fault.evidence.empty()) detail["evidence"] = fault.evidence;
  if (!fault.note.empty()) detail["note"] = fault.note;
  if (!fault.other_frames.empty()) {
    detail["other_frames"] = fault.other_frames;
    detail["other_kernel"] = fault.other_kernel;
    detail["other_note"] = fault.other_note;
  }
  const AllocationRecord* record = nullptr;
  sim::AllocationFacts facts;
  if (fault.about != 0) {
    const PointerFacts pointer = runtime.facts(reinterpret_cast<void*>(fault.about));
    if (pointer.device != nullptr) {
      facts = {true,         pointer.device->id, pointer.device->name,
               pointer.base, pointer.size,       static_cast<std::int64_t>(fault.about - pointer.base)};
      record = record_of(runtime, pointer.device->id);
      detail["allocation"] = to_json(facts);
    }
  }
  add_record(detail, record);
  if (const auto freed = runtime.freed_host.find(fault.about);
      fault.kind == "double_free" && freed != runtime.freed_host.end()) {
    detail["allocated_frames"] = freed->second.allocated;
    detail["freed_frames"] = freed->second.freed;
    detail["freed_by"] = freed->second.api;
  }
  runtime.write(fault_event(runtime, fault.text, detail, call));
  if (runtime.quiet()) return;
  std::string report = fmt::format("\n=== workbook: {} in {}\n  {}\n", fault.kind, call.api, fault.text);
  for (const std::string& line : fault.evidence) report += fmt::format("  {}\n", line);
  add_line(report, "called", describe_place(call.frames, call.name));
  if (!fault.other_frames.empty())
    add_line(report, "the other", describe_place(fault.other_frames, fault.other_kernel));
  add_record_lines(report, facts, record);
  show(report);
}

void report_host_dereference(std::uint64_t address, std::uint64_t pc) {
  Runtime& runtime = Runtime::get();
  const PointerFacts pointer = runtime.facts(reinterpret_cast<void*>(address));
  sim::AllocationFacts facts;
  const AllocationRecord* record = nullptr;
  std::string what = "an address in device memory";
  if (pointer.device != nullptr) {
    facts = {true,         pointer.device->id, pointer.device->name,
             pointer.base, pointer.size,       static_cast<std::int64_t>(address - pointer.base)};
    record = record_of(runtime, pointer.device->id);
    what = fmt::format("byte {} of {} ({} bytes of device memory)", address - pointer.base,
                       facts.name.empty() ? "an allocation" : facts.name, pointer.size);
  }
  const std::string text = fmt::format(
      "The host used {} as if it were its own memory. Only kernels can read and write device memory; the "
      "host copies "
      "it with cudaMemcpy.",
      what);
  json detail{{"kind", "host_dereference"}, {"address", address}, {"pc", pc}, {"allocation", to_json(facts)}};
  add_record(detail, record);
  trace::Event call;
  call.frames = frames_at(pc);
  for (const std::uint64_t frame : capture_frames()) {
    if (call.frames.empty() || frame != call.frames.back()) call.frames.push_back(frame);
  }
  call.host_begin_ns = runtime.now();
  call.thread = runtime.scheduler().self().index;
  runtime.write(fault_event(runtime, text, detail, call));
  if (runtime.quiet()) return;
  std::string report = fmt::format("\n=== workbook: host_dereference\n  {}\n", text);
  add_line(report, "where", describe_place(call.frames));
  add_record_lines(report, facts, record);
  std::fputs(report.c_str(), stderr);
}

std::string describe(const PointerFacts& facts) {
  std::string out;
  switch (facts.kind) {
    case trace::MemoryKind::device:
      out = facts.dead ? "freed device memory" : "device memory";
      break;
    case trace::MemoryKind::pinned:
      out = "pinned host memory";
      break;
    case trace::MemoryKind::managed:
      out = "managed memory";
      break;
    default:
      out = "pageable host memory";
      break;
  }
  if (facts.device != nullptr && !facts.device->name.empty()) out += fmt::format(" ({})", facts.device->name);
  if (facts.host != nullptr && !facts.host->name.empty()) out += fmt::format(" ({})", facts.host->name);
  return out;
}

std::string host_place(std::uint64_t address) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    unsigned long long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx", &begin, &end) != 2 || address < begin || address >= end)
      continue;
    if (line.find("[stack]") != std::string::npos) return "the stack (a local variable)";
    if (line.find("[heap]") != std::string::npos) return "the heap (malloc, new, std::vector)";
    if (!trace::executable_path().empty() && line.find(trace::executable_path()) != std::string::npos) {
      return "the program's own variables";
    }
    // An anonymous mapping: where malloc puts large blocks and other threads their stacks.
    return "the heap (malloc, new, std::vector)";
  }
  return "no memory at all";
}

}  // namespace workbook::cudart
