#include "cudart/copies.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "cudart/faults.h"
#include "cudart/graphs.h"
#include "cudart/hazards.h"

namespace workbook::cudart {

namespace {

constexpr std::size_t staged_at_once =
    64u << 10;  // larger pageable sources hold the caller until they are copied

// What the two sides of a copy are.
struct Sides {
  PointerFacts to, from;
  bool pageable() const {
    return to.kind == trace::MemoryKind::pageable || from.kind == trace::MemoryKind::pageable;
  }
  model::CopyDirection direction() const {
    using D = model::CopyDirection;
    if (from.on_device()) return to.on_device() ? D::device_to_device : D::device_to_host;
    return to.on_device() ? D::host_to_device : D::host_to_host;
  }
};

EngineKind engine_of(model::CopyDirection direction) {
  switch (direction) {
    case model::CopyDirection::host_to_device:
      return EngineKind::to_device;
    case model::CopyDirection::device_to_host:
      return EngineKind::from_device;
    case model::CopyDirection::device_to_device:
      return EngineKind::within_device;
    default:
      return EngineKind::none;
  }
}

// A claimed side that the pointer contradicts: "the source is device memory (d_x)". Empty when all is well.
std::string contradiction(const Sides& sides, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) return {};
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const auto fits = [](const PointerFacts& facts, bool device) {
    if (facts.kind == trace::MemoryKind::managed) return true;
    return facts.on_device() == device;
  };
  std::string text;
  if (!fits(sides.from, from_device)) text = fmt::format("the source is {}", describe(sides.from));
  if (!fits(sides.to, to_device)) {
    text += fmt::format("{}the destination is {}", text.empty() ? "" : " and ", describe(sides.to));
  }
  return text;
}

// CUDA 13 refuses a kind only where a side that should be the device's is pageable memory (measured on an
// H200); every other wrong kind works, as the pointers themselves tell where they belong.
bool refused_kind(const Sides& sides, cudaMemcpyKind kind) {
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  return (from_device && sides.from.kind == trace::MemoryKind::pageable) ||
         (to_device && sides.to.kind == trace::MemoryKind::pageable);
}

// Where a range lies that begins in no live allocation: beside the nearest, in a freed one, or far from all.
std::string outside_words(const sim::Fault& fault) {
  const sim::AllocationFacts& a = fault.allocation;
  if (!a.known) return fmt::format("at {:#x}, far from everything that is allocated", fault.address);
  const std::string what = a.name.empty() ? fmt::format("an allocation of {} bytes", a.size) : a.name;
  if (fault.kind == sim::FaultKind::use_after_free)
    return fmt::format("at byte {} of {} that was freed", a.offset, what);
  if (a.offset < 0) return fmt::format("{} bytes before the begin of {}", -a.offset, what);
  const std::uint64_t behind = static_cast<std::uint64_t>(a.offset) - a.size;
  return behind == 0 ? "just past the end of " + what
                     : fmt::format("{} bytes past the end of {}", behind, what);
}

// Whether `bytes` from `address` lie in the memory that the facts describe. False after a report.
bool in_bounds(Call& call, const PointerFacts& facts, std::uint64_t address, std::size_t bytes,
               bool is_write) {
  HostFault fault;
  fault.about = address;
  fault.bytes = bytes;
  const char* const verb = is_write ? "written" : "read";
  if (facts.on_device()) {
    const auto found = call.runtime.memory().check_range(address, bytes, is_write);
    if (!found) return true;
    fault.kind = sim::name_of(found->kind);
    fault.offset = static_cast<std::int64_t>(address - facts.base);
    if (facts.size != 0 && !facts.dead) {
      fault.text = fmt::format("{} bytes were to be {} from byte {} of {}, which has {} bytes.", bytes, verb,
                               fault.offset, describe(facts), facts.size);
    } else {
      fault.text = fmt::format("{} bytes were to be {} {}.", bytes, verb, outside_words(*found));
    }
  } else if (facts.host != nullptr && address + bytes > facts.base + facts.size) {
    fault.kind = "out_of_bounds";
    fault.offset = static_cast<std::int64_t>(address - facts.base);
    fault.text = fmt::format("{} bytes were to be {} from byte {} of {}, which has {} bytes.", bytes, verb,
                             fault.offset, describe(facts), facts.size);
  } else {
    return true;
  }
  report_host_fault(fault, call.event);
  return false;
}

void copy_row(sim::Memory& memory, const Sides& sides, std::uint64_t to, std::uint64_t from,
              std::size_t bytes) {
  if (sides.from.on_device() && sides.to.on_device()) {
    memory.copy(to, from, bytes);
  } else if (sides.from.on_device()) {
    memory.read(from, reinterpret_cast<void*>(to), bytes);
  } else if (sides.to.on_device()) {
    memory.write(to, reinterpret_cast<const void*>(from), bytes);
  } else {
    std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  }
}

// Memory may have been freed while the copy waited in its stream.
bool still_there(const Sides& sides, const Rows& rows, const trace::Event& event) {
  Runtime& runtime = Runtime::get();
  for (const bool write : {false, true}) {
    const PointerFacts& facts = write ? sides.to : sides.from;
    if (!facts.on_device()) continue;
    const std::uint64_t address = write ? rows.to : rows.from;
    const auto fault =
        runtime.memory().check_range(address, write ? rows.to_span() : rows.from_span(), write);
    if (!fault) continue;
    report_host_fault({.kind = sim::name_of(fault->kind),
                       .text = "The copy's memory was freed before the copy took place in its stream.",
                       .about = address,
                       .bytes = rows.bytes()},
                      event);
    return false;
  }
  return true;
}

// Memory that operations of the device share; pageable memory holds the caller until the copy is done.
bool is_shared(const PointerFacts& facts) {
  return facts.kind != trace::MemoryKind::pageable;
}

// Holds the copy against all others that use these bytes.
void take_place(const Op& op, const std::shared_ptr<trace::Event>& event, const Rows& rows,
                const Sides& sides) {
  Hazards& hazards = Runtime::get().hazards();
  hazards.reads_source(op);
  if (!hazards.active()) return;
  std::vector<sim::Touched> ranges;
  if (is_shared(sides.from)) add_rows(ranges, rows.from, rows.from_pitch, rows.width, rows.height, false);
  if (is_shared(sides.to)) add_rows(ranges, rows.to, rows.to_pitch, rows.width, rows.height, true);
  hazards.takes_place(op, event, ranges);
}

// The pageable source of a small copy, taken at the call.
std::shared_ptr<std::vector<std::byte>> stage(Rows& rows) {
  auto staged = std::make_shared<std::vector<std::byte>>(rows.bytes());
  for (std::size_t row = 0; row < rows.height; ++row) {
    std::memcpy(staged->data() + row * rows.width,
                reinterpret_cast<const void*>(rows.from + row * rows.from_pitch), rows.width);
  }
  rows.from = reinterpret_cast<std::uint64_t>(staged->data());
  rows.from_pitch = rows.width;
  return staged;
}

void enqueue_copy(Call& call, Stream& stream, const Sides& sides, Rows rows, bool staged_source,
                  bool device_writes, std::int64_t duration, std::int64_t earliest, OpRef* out) {
  Runtime& runtime = call.runtime;
  auto event = call.take_event(device_writes);
  const auto staged = staged_source ? stage(rows) : nullptr;
  Op op;
  op.engine = engine_of(sides.direction());
  op.earliest = earliest;
  op.begin = [duration](const Op&) { return duration; };
  op.end = [event, rows, sides, staged, device_writes](const Op& self) {
    Runtime& r = Runtime::get();
    event->device_begin_ns = self.started;
    event->device_end_ns = self.ended;
    if (rows.bytes() > 0 && still_there(sides, rows, *event)) {
      take_place(self, event, rows, sides);
      for (std::size_t row = 0; row < rows.height; ++row) {
        copy_row(r.memory(), sides, rows.to + row * rows.to_pitch, rows.from + row * rows.from_pitch,
                 rows.width);
      }
    } else if (rows.bytes() > 0) {
      r.fail_device(cudaErrorIllegalAddress, self.ended);
    }
    if (device_writes) r.write(*event);
  };
  *out = runtime.engine().enqueue(stream, std::move(op));
  if (device_writes && sides.from.kind == trace::MemoryKind::pinned)
    runtime.hazards().keep_source(*out, event, rows);
}

cudaError_t end_waiting(Call& call, const OpRef& op, std::int64_t cost) {
  Runtime& runtime = call.runtime;
  runtime.engine().wait(op);
  call.spend(cost);
  runtime.show_output();
  return call.end(static_cast<cudaError_t>(runtime.sticky()));
}

cudaError_t perform(Call& call, Stream& stream, const Sides& sides, const Rows& rows, bool asynchronous) {
  Runtime& runtime = call.runtime;
  const model::Profile& profile = runtime.profile();
  const auto direction = sides.direction();
  const auto memory = sides.pageable() ? model::HostMemory::pageable : model::HostMemory::pinned;
  const bool crosses =
      direction == model::CopyDirection::host_to_device || direction == model::CopyDirection::device_to_host;
  ++runtime.totals.copies;
  runtime.totals.copied_bytes += rows.bytes();
  OpRef op;
  if (crosses && memory == model::HostMemory::pageable) {
    const bool small = direction == model::CopyDirection::host_to_device && rows.bytes() <= staged_at_once;
    if (asynchronous && small) {
      call.spend(model::copy_call_ns(profile, direction, memory, rows.bytes()));
      enqueue_copy(call, stream, sides, rows, /*staged_source=*/true, /*device_writes=*/true,
                   model::copy_ns(profile, direction, model::HostMemory::pinned, rows.bytes()), runtime.now(),
                   &op);
      return call.end(cudaSuccess);
    }
    enqueue_copy(call, stream, sides, rows, false, false,
                 model::copy_ns(profile, direction, memory, rows.bytes()), runtime.now(), &op);
    return end_waiting(call, op, 0);
  }
  const bool waits = !asynchronous && direction != model::CopyDirection::device_to_device;
  const bool host_only = direction == model::CopyDirection::host_to_host;
  call.spend(model::copy_call_ns(profile, direction, model::HostMemory::pinned, rows.bytes()));
  enqueue_copy(call, stream, sides, rows, false, !waits,
               model::copy_ns(profile, direction, memory, rows.bytes()),
               runtime.now() + (host_only ? 0 : runtime.costs().launch_latency), &op);
  return waits ? end_waiting(call, op, host_only ? 0 : runtime.costs().synchronize) : call.end(cudaSuccess);
}

}  // namespace

cudaError_t copy(Call& call, const Rows& rows, cudaMemcpyKind kind, cudaStream_t handle, bool asynchronous) {
  Runtime& runtime = call.runtime;
  const Sides sides{runtime.facts(reinterpret_cast<void*>(rows.to)),
                    runtime.facts(reinterpret_cast<void*>(rows.from))};
  call.event.address = rows.to;
  call.event.source = rows.from;
  call.event.bytes = rows.bytes();
  call.event.from = sides.from.kind;
  call.event.to = sides.to.kind;
  call.event.direction = trace::copy_direction(kind);
  call.event.asynchronous = asynchronous;
  Stream* const stream = find_stream(handle);
  if (stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  call.event.stream = stream->number;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return call.end(cudaErrorInvalidMemcpyDirection);
  if (rows.bytes() == 0) return call.end(cudaSuccess);
  if (rows.to == 0 || rows.from == 0) {
    report_host_fault({.kind = "null_pointer",
                       .text = fmt::format("The {} of the copy is a null pointer.",
                                           rows.to == 0 ? "destination" : "source")},
                      call.event);
    return call.end(cudaErrorInvalidValue);
  }
  if (const std::string wrong = contradiction(sides, kind); !wrong.empty()) {
    const std::string text =
        fmt::format("cudaMemcpy{} was asked, but {}.", trace::copy_direction(kind), wrong);
    if (refused_kind(sides, kind)) {
      report_host_fault(
          {.kind = "bad_kind", .text = text, .about = sides.from.on_device() ? rows.from : rows.to},
          call.event);
      return call.end(cudaErrorInvalidValue);
    }
    runtime.remark("kind", text + " It works all the same, because the pointers tell where they belong.");
  }
  if (!in_bounds(call, sides.from, rows.from, rows.from_span(), false) ||
      !in_bounds(call, sides.to, rows.to, rows.to_span(), true)) {
    return call.end(cudaErrorInvalidValue);
  }
  if (captures_run()) {
    if (const auto captured = capture_work(*stream, cudaGraphNodeTypeMemcpy, copy_work(rows, kind)))
      return call.end(*captured);
  }
  return perform(call, *stream, sides, rows, asynchronous);
}

cudaError_t fill(Call& call, const Rows& rows, int value, cudaStream_t handle, bool asynchronous) {
  Runtime& runtime = call.runtime;
  const PointerFacts facts = runtime.facts(reinterpret_cast<void*>(rows.to));
  call.event.address = rows.to;
  call.event.bytes = rows.bytes();
  call.event.to = facts.kind;
  call.event.asynchronous = asynchronous;
  Stream* const stream = find_stream(handle);
  if (stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  call.event.stream = stream->number;
  if (rows.bytes() == 0) return call.end(cudaSuccess);
  if (facts.kind == trace::MemoryKind::pageable) {
    report_host_fault(
        {.kind = "bad_kind",
         .text = rows.to == 0 ? "The address is a null pointer."
                              : "cudaMemset fills device memory, but the address is pageable host memory."},
        call.event);
    return call.end(cudaErrorInvalidValue);
  }
  if (!in_bounds(call, facts, rows.to, rows.to_span(), true)) return call.end(cudaErrorInvalidValue);
  if (captures_run()) {
    if (const auto captured = capture_work(*stream, cudaGraphNodeTypeMemset, fill_work(rows, value)))
      return call.end(*captured);
  }
  call.spend(runtime.costs().launch_call);
  auto event = call.take_event(/*device_writes=*/true);
  Op op;
  op.engine = EngineKind::within_device;
  op.earliest = runtime.now() + runtime.costs().launch_latency;
  op.begin = [duration = model::memset_ns(runtime.profile(), rows.bytes())](const Op&) { return duration; };
  op.end = [event, rows, facts, value](const Op& self) {
    Runtime& r = Runtime::get();
    event->device_begin_ns = self.started;
    event->device_end_ns = self.ended;
    const Sides sides{facts, PointerFacts{}};
    if (still_there(sides, rows, *event)) {
      std::vector<sim::Touched> ranges;
      add_rows(ranges, rows.to, rows.to_pitch, rows.width, rows.height, true);
      r.hazards().takes_place(self, event, ranges);
      for (std::size_t row = 0; row < rows.height; ++row) {
        const std::uint64_t at = rows.to + row * rows.to_pitch;
        if (facts.on_device()) {
          r.memory().fill(at, value, rows.width);
        } else {
          std::memset(reinterpret_cast<void*>(at), value, rows.width);
        }
      }
    } else {
      r.fail_device(cudaErrorIllegalAddress, self.ended);
    }
    r.write(*event);
  };
  runtime.engine().enqueue(*stream, std::move(op));
  return call.end(cudaSuccess);
}

}  // namespace workbook::cudart
