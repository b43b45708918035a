// Getting and giving back memory.
#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>

#include "cudart/call.h"
#include "cudart/faults.h"
#include "cudart/graphs.h"
#include "cudart/hazards.h"

namespace workbook::cudart {

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t poison_limit = 64u
                                     << 20;  // larger host blocks stay untouched, so that they cost nothing
constexpr std::size_t pitch_unit = 512;
// What a context itself takes of the memory (measured on an H200, 2026-11-30).
constexpr std::uint64_t context_bytes = 552'402'944;
bool allocated_before = false;

std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

std::uint64_t free_bytes(Runtime& runtime) {
  const std::uint64_t taken = runtime.memory().used() + context_bytes;
  const std::uint64_t total = runtime.memory().capacity();
  return total > taken ? total - taken : 0;
}

// The cost that the very first allocation has on top.
void pay_first_allocation(Call& call) {
  if (allocated_before) return;
  allocated_before = true;
  call.spend(call.runtime.costs().first_allocation);
}

// Behind pinned and managed memory lies memory that nobody may use, as behind the device's own: what runs
// over the end must not meet the neighbour.
constexpr std::size_t guard = 64u << 10;

std::size_t whole_pages(std::size_t size) {
  return (size + page - 1) / page * page;
}

cudaError_t allocate_device(Call& call, void** out, std::size_t size, std::int64_t cost,
                            bool stream_ordered) {
  Runtime& runtime = call.runtime;
  if (out == nullptr) return call.end(cudaErrorInvalidValue);
  call.event.bytes = size;
  call.event.to = trace::MemoryKind::device;
  if (size == 0) {
    *out = nullptr;
    return call.end(cudaSuccess);
  }
  if (captures_run()) {
    if (const auto refused = refused_by_capture(nullptr)) return call.end(*refused);
  }
  pay_first_allocation(call);
  const bool fits = size <= free_bytes(runtime);
  const std::uint64_t base = fits ? runtime.memory().allocate(size, sim::AllocationKind::device) : 0;
  // A refusal costs what a small allocation does (52 us on an H200), not the time its size would have taken.
  call.spend(base == 0 ? model::malloc_ns(runtime.profile(), 1) : cost);
  if (base == 0) return call.end(cudaErrorMemoryAllocation);
  AllocationRecord record;
  record.api = call.event.api;
  record.allocated = call.event.frames;
  record.stream_ordered = stream_ordered;
  runtime.allocations[runtime.memory().find(base)->id] = std::move(record);
  call.event.address = base;
  *out = reinterpret_cast<void*>(base);
  return call.end(cudaSuccess);
}

// Host memory of our own that kernels reach too.
cudaError_t allocate_host(Call& call, void** out, std::size_t size, trace::MemoryKind kind, unsigned flags,
                          std::int64_t cost) {
  Runtime& runtime = call.runtime;
  call.event.bytes = size;
  call.event.to = kind;
  if (size == 0) {
    *out = nullptr;
    return call.end(cudaSuccess);
  }
  const std::size_t whole = whole_pages(size);
  void* memory = mmap(nullptr, whole + guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED && mprotect(memory, whole, PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, whole + guard);
    memory = MAP_FAILED;
  }
  // A refusal costs what a small block does, not the time its size would have taken.
  call.spend(memory == MAP_FAILED ? model::pin_ns(runtime.profile(), 1) : cost);
  if (memory == MAP_FAILED) return call.end(cudaErrorMemoryAllocation);
  if (size <= poison_limit) std::memset(memory, 0xff, size);
  runtime.memory().map_host(memory, size, whole + guard - size);
  HostRange range;
  range.base = address_of(memory);
  range.size = size;
  range.kind = kind;
  range.flags = flags;
  range.api = call.event.api;
  range.allocated = call.event.frames;
  runtime.freed_host.erase(range.base);
  runtime.host_ranges[range.base] = std::move(range);
  call.event.address = address_of(memory);
  *out = memory;
  return call.end(cudaSuccess);
}

void release_host(Runtime& runtime, const HostRange& range, const Call& call) {
  const std::uint64_t base = range.base, size = range.size;
  runtime.hazards().forget(base, base + size);
  runtime.memory().unmap_host(reinterpret_cast<void*>(base));
  runtime.freed_host[base] = {range.allocated, call.event.frames, call.event.api};
  if (!range.registered) munmap(reinterpret_cast<void*>(base), whole_pages(size) + guard);
  runtime.host_ranges.erase(base);
}

cudaError_t refuse_free(Call& call, const char* kind, const std::string& text, const void* pointer) {
  report_host_fault({.kind = kind, .text = text, .about = address_of(pointer)}, call.event);
  return call.end(cudaErrorInvalidValue);
}

std::string named(const PointerFacts& facts) {
  return facts.device != nullptr && !facts.device->name.empty() ? facts.device->name : "This memory";
}

// Explains why device memory can't be freed by this pointer.
cudaError_t refuse_device_free(Call& call, const void* pointer, const PointerFacts& facts,
                               sim::Memory::FreeResult why) {
  using Result = sim::Memory::FreeResult;
  if (why == Result::already_freed) {
    return refuse_free(call, "double_free",
                       fmt::format("{} was freed before, and is freed again here.", named(facts)), pointer);
  }
  if (why == Result::not_the_base) {
    return refuse_free(
        call, "bad_free",
        fmt::format(
            "{} begins {} bytes before this pointer: free takes the pointer that the allocation gave.",
            named(facts), address_of(pointer) - facts.base),
        pointer);
  }
  return refuse_free(call, "bad_free", "No allocation begins at this address.", pointer);
}

cudaError_t refuse_host_pointer(Call& call, const void* pointer) {
  Runtime& runtime = call.runtime;
  if (runtime.freed_host.contains(address_of(pointer))) {
    return refuse_free(call, "double_free", "This memory was freed before, and is freed again here.",
                       pointer);
  }
  return refuse_free(call, "bad_free",
                     fmt::format("{} was given host memory that CUDA did not allocate: it lies in {}.",
                                 call.event.api, host_place(address_of(pointer))),
                     pointer);
}

cudaError_t free_device(Call& call, void* pointer) {
  Runtime& runtime = call.runtime;
  const PointerFacts facts = runtime.facts(pointer);
  call.event.address = address_of(pointer);
  call.event.bytes = facts.size;
  call.event.to = facts.kind;
  if (facts.kind == trace::MemoryKind::pinned) {
    return refuse_free(call, "bad_free", "This is pinned host memory: it goes with cudaFreeHost.", pointer);
  }
  if (facts.kind == trace::MemoryKind::pageable) return refuse_host_pointer(call, pointer);
  runtime.engine().wait_for_all();  // cudaFree waits for the whole device
  runtime.show_output();
  if (runtime.sticky() != 0) return call.end(static_cast<cudaError_t>(runtime.sticky()));
  call.spend(model::free_ns(runtime.profile(), facts.size));
  if (facts.kind == trace::MemoryKind::managed) {
    if (facts.base != address_of(pointer))
      return refuse_free(call, "bad_free", "This lies inside an allocation.", pointer);
    release_host(runtime, *facts.host, call);
    return call.end(cudaSuccess);
  }
  runtime.hazards().forget(facts.base, facts.base + facts.size);
  const auto result = runtime.memory().free(address_of(pointer));
  if (result != sim::Memory::FreeResult::ok) return refuse_device_free(call, pointer, facts, result);
  AllocationRecord& record = runtime.allocations[facts.device->id];
  record.freed = call.event.frames;
  record.freed_by = call.event.api;
  return call.end(cudaSuccess);
}

}  // namespace

}  // namespace workbook::cudart

using namespace workbook::cudart;  // NOLINT: the exported functions below are part of it
using trace_kind = workbook::trace::EventKind;
using workbook::trace::MemoryKind;
namespace model = workbook::model;
namespace sim = workbook::sim;

cudaError_t cudaMalloc(void** out, std::size_t size) {
  Call call("cudaMalloc", trace_kind::alloc);
  if (call.refused()) return call.refusal();
  return allocate_device(call, out, size, model::malloc_ns(call.runtime.profile(), size), false);
}

cudaError_t cudaMallocPitch(void** out, std::size_t* pitch, std::size_t width, std::size_t height) {
  Call call("cudaMallocPitch", trace_kind::alloc);
  if (call.refused()) return call.refusal();
  if (pitch == nullptr) return call.end(cudaErrorInvalidValue);
  *pitch = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
  const std::size_t size = *pitch * height;
  return allocate_device(call, out, size, model::malloc_ns(call.runtime.profile(), size), false);
}

cudaError_t cudaMallocAsync(void** out, std::size_t size, cudaStream_t stream) {
  Call call("cudaMallocAsync", trace_kind::alloc);
  if (call.refused()) return call.refusal();
  Runtime& runtime = call.runtime;
  Stream* const where = find_stream(stream);
  if (where == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  call.event.stream = where->number;
  call.event.asynchronous = true;
  const workbook::trace::Event about = call.event;
  const cudaError_t result =
      allocate_device(call, out, size, model::malloc_async_ns(runtime.profile(), size), true);
  if (result != cudaSuccess || size == 0 || !runtime.hazards().active()) return result;
  // The memory is this stream's: another one has to wait for it.
  Op op;
  op.earliest = runtime.now();
  op.end = [event = std::make_shared<workbook::trace::Event>(about), base = address_of(*out),
            size](const Op& self) {
    Runtime::get().hazards().takes_place(self, event, {{base, base + size, true}});
  };
  runtime.engine().enqueue(*where, std::move(op));
  return result;
}

cudaError_t cudaMallocFromPoolAsync(void** out, std::size_t size, cudaMemPool_t, cudaStream_t stream) {
  return cudaMallocAsync(out, size, stream);
}

cudaError_t cudaFree(void* pointer) {
  Call call("cudaFree", trace_kind::free);
  if (call.refused()) return call.refusal();
  if (pointer == nullptr) return call.end(cudaSuccess);
  return free_device(call, pointer);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  Call call("cudaFreeAsync", trace_kind::free);
  if (call.refused()) return call.refusal();
  Runtime& runtime = call.runtime;
  Stream* const where = find_stream(stream);
  if (where == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (pointer == nullptr) return call.end(cudaErrorInvalidValue);
  const PointerFacts facts = runtime.facts(pointer);
  call.event.stream = where->number;
  call.event.address = address_of(pointer);
  call.event.bytes = facts.size;
  call.event.to = facts.kind;
  call.event.asynchronous = true;
  if (facts.kind != MemoryKind::device) return refuse_host_pointer(call, pointer);
  using Result = sim::Memory::FreeResult;
  if (facts.device == nullptr) return refuse_device_free(call, pointer, facts, Result::never_allocated);
  AllocationRecord& record = runtime.allocations[facts.device->id];
  if (facts.dead || !record.freed_by.empty())
    return refuse_device_free(call, pointer, facts, Result::already_freed);
  if (facts.base != address_of(pointer))
    return refuse_device_free(call, pointer, facts, Result::not_the_base);
  record.freed = call.event.frames;
  record.freed_by = call.event.api;
  Op op;
  op.earliest = runtime.now() + runtime.costs().launch_latency;
  const auto event = call.take_event(/*device_writes=*/false);
  op.end = [event, base = facts.base, size = facts.size](const Op& self) {
    Runtime& r = Runtime::get();
    r.hazards().takes_place(self, event, {{base, base + size, true}});
    r.hazards().forget(base, base + size);
    r.memory().free(base);
  };
  runtime.engine().enqueue(*where, std::move(op));
  return call.end(cudaSuccess);
}

cudaError_t cudaMallocHost(void** out, std::size_t size) {
  Call call("cudaMallocHost", trace_kind::alloc);
  if (call.refused()) return call.refusal();
  if (out == nullptr) return call.end(cudaErrorInvalidValue);
  return allocate_host(call, out, size, MemoryKind::pinned, cudaHostAllocMapped,
                       model::pin_ns(call.runtime.profile(), size));
}

cudaError_t cudaHostAlloc(void** out, std::size_t size, unsigned flags) {
  Call call("cudaHostAlloc", trace_kind::alloc);
  if (call.refused()) return call.refusal();
  constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (out == nullptr || (flags & ~known) != 0) return call.end(cudaErrorInvalidValue);
  return allocate_host(call, out, size, MemoryKind::pinned, flags | cudaHostAllocMapped,
                       model::pin_ns(call.runtime.profile(), size));
}

cudaError_t cudaMallocManaged(void** out, std::size_t size, unsigned flags) {
  Call call("cudaMallocManaged", trace_kind::alloc);
  if (call.refused()) return call.refusal();
  if (out == nullptr || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) {
    return call.end(cudaErrorInvalidValue);
  }
  return allocate_host(call, out, size, MemoryKind::managed, flags,
                       model::malloc_ns(call.runtime.profile(), size));
}

cudaError_t cudaFreeHost(void* pointer) {
  Call call("cudaFreeHost", trace_kind::free);
  if (call.refused()) return call.refusal();
  if (pointer == nullptr) return call.end(cudaSuccess);
  Runtime& runtime = call.runtime;
  const PointerFacts facts = runtime.facts(pointer);
  call.event.address = address_of(pointer);
  call.event.bytes = facts.size;
  call.event.to = facts.kind;
  if (facts.kind == MemoryKind::device) {
    return refuse_free(call, "bad_free", fmt::format("This is {}: it goes with cudaFree.", describe(facts)),
                       pointer);
  }
  if (facts.kind == MemoryKind::pageable) return refuse_host_pointer(call, pointer);
  if (facts.kind == MemoryKind::managed || facts.host->registered || facts.base != address_of(pointer)) {
    return refuse_free(call, "bad_free",
                       "No allocation of cudaMallocHost or cudaHostAlloc begins at this address.", pointer);
  }
  runtime.engine().wait_for_all();
  runtime.show_output();
  if (runtime.sticky() != 0) return call.end(static_cast<cudaError_t>(runtime.sticky()));
  call.spend(model::unpin_ns(runtime.profile(), facts.size));
  release_host(runtime, *facts.host, call);
  return call.end(cudaSuccess);
}

cudaError_t cudaHostRegister(void* pointer, std::size_t size, unsigned flags) {
  Call call("cudaHostRegister", trace_kind::alloc);
  if (call.refused()) return call.refusal();
  Runtime& runtime = call.runtime;
  call.event.address = address_of(pointer);
  call.event.bytes = size;
  call.event.to = MemoryKind::pinned;
  if (pointer == nullptr || size == 0 || runtime.facts(pointer).on_device())
    return call.end(cudaErrorInvalidValue);
  const std::uint64_t last = address_of(pointer) + size - 1;
  if (runtime.host_range(address_of(pointer)) != nullptr || runtime.host_range(last) != nullptr) {
    return call.end(cudaErrorHostMemoryAlreadyRegistered);
  }
  call.spend(model::register_ns(runtime.profile(), size));
  runtime.memory().map_host(pointer, size);
  HostRange range;
  range.base = address_of(pointer);
  range.size = size;
  range.flags = flags | cudaHostRegisterMapped;
  range.registered = true;
  range.api = call.event.api;
  range.allocated = call.event.frames;
  runtime.host_ranges[range.base] = std::move(range);
  return call.end(cudaSuccess);
}

cudaError_t cudaHostUnregister(void* pointer) {
  Call call("cudaHostUnregister", trace_kind::free);
  if (call.refused()) return call.refusal();
  Runtime& runtime = call.runtime;
  const HostRange* const range = runtime.host_range(address_of(pointer));
  call.event.address = address_of(pointer);
  call.event.to = MemoryKind::pinned;
  if (range == nullptr || !range->registered || range->base != address_of(pointer)) {
    return call.end(cudaErrorHostMemoryNotRegistered);
  }
  call.event.bytes = range->size;
  runtime.engine().wait_for_all();
  if (runtime.sticky() != 0) return call.end(static_cast<cudaError_t>(runtime.sticky()));
  call.spend(model::unregister_ns(runtime.profile(), range->size));
  release_host(runtime, *range, call);
  return call.end(cudaSuccess);
}

cudaError_t cudaHostGetDevicePointer(void** out, void* pointer, unsigned flags) {
  Call call("cudaHostGetDevicePointer");
  if (call.refused()) return call.refusal();
  if (out == nullptr || flags != 0 || call.runtime.host_range(address_of(pointer)) == nullptr) {
    return call.end(cudaErrorInvalidValue);
  }
  *out = pointer;  // one address space for host and device
  return call.end(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned* out, void* pointer) {
  Call call("cudaHostGetFlags");
  if (call.refused()) return call.refusal();
  const HostRange* const range = call.runtime.host_range(address_of(pointer));
  if (out == nullptr || range == nullptr) return call.end(cudaErrorInvalidValue);
  *out = range->flags;
  return call.end(cudaSuccess);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  Call call("cudaMemGetInfo");
  if (call.refused()) return call.refusal();
  if (free == nullptr || total == nullptr) return call.end(cudaErrorInvalidValue);
  *total = call.runtime.memory().capacity();
  *free = free_bytes(call.runtime);
  return call.end(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, const void* pointer) {
  Call call("cudaPointerGetAttributes", trace_kind::api, Needs::nothing);
  if (out == nullptr) return call.end(cudaErrorInvalidValue);
  const PointerFacts facts = call.runtime.facts(pointer);
  void* const same = const_cast<void*>(pointer);
  *out = {};
  out->type = cudaMemoryTypeUnregistered;
  out->device = -2;
  out->hostPointer = same;
  if (facts.host != nullptr) {
    out->type = facts.kind == MemoryKind::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
    out->device = 0;
    out->devicePointer = same;
  } else if (facts.on_device() && !facts.dead) {
    out->type = cudaMemoryTypeDevice;
    out->device = 0;
    out->devicePointer = same;
    out->hostPointer = nullptr;
  }
  return call.end(cudaSuccess);
}
