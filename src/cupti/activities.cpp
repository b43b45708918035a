#include "cupti/activities.h"

#include <cupti.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace workbook::cupti {

using trace::MemoryKind;

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20, alignment = 8;

MemoryKind memory_kind(unsigned kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
      return MemoryKind::pageable;
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
      return MemoryKind::pinned;
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC:
      return MemoryKind::device;
    case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY:
      return MemoryKind::array;
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC:
      return MemoryKind::managed;
    default:
      return MemoryKind::none;
  }
}

// The kinds of docs/trace-schema.md. What the recorder itself costs stands apart from what the program pays.
Overhead overhead_of(const CUpti_ActivityOverhead3& record) {
  Overhead out{"recorder", "the recorder was at work", static_cast<std::int64_t>(record.start),
               static_cast<std::int64_t>(record.end)};
  switch (record.overheadKind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
      out.kind = "jit";
      out.text = "the driver compiles";
      break;
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
      out.kind = "module_load";
      out.text = "device code is loaded";
      break;
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
      out.kind = "function_load";
      out.text = "a kernel is loaded for its first launch";
      break;
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
      out.kind = "queue_full";
      out.text = "the queue to the device is full";
      break;
    default:
      break;
  }
  return out;
}

Overhead jit_of(const CUpti_ActivityJit2& record) {
  Overhead out{"jit", "PTX is compiled for this GPU", static_cast<std::int64_t>(record.start),
               static_cast<std::int64_t>(record.end)};
  if (record.jitOperationType == CUPTI_ACTIVITY_JIT_OPERATION_CACHE_LOAD)
    out.text = "compiled PTX comes from the cache";
  if (record.jitOperationType == CUPTI_ACTIVITY_JIT_OPERATION_CACHE_STORE)
    out.text = "compiled PTX goes to the cache";
  return out;
}

void CUPTIAPI want_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(alignment, buffer_bytes));
  *size = *buffer == nullptr ? 0 : buffer_bytes;
  *most_records = 0;
}

void CUPTIAPI buffer_done(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  Activities::get().take(buffer, valid);
  std::free(buffer);
}

std::string refusal(const char* what, CUptiResult result) {
  const char* text = nullptr;
  cuptiGetResultString(result, &text);
  return fmt::format("{}: {}", what, text == nullptr ? "unknown error" : text);
}

}  // namespace

Activities& Activities::get() {
  static Activities* const instance = new Activities;  // CUPTI's thread may outlive static objects
  return *instance;
}

std::string Activities::enable() {
  if (const auto result = cuptiActivityRegisterCallbacks(want_buffer, buffer_done); result != CUPTI_SUCCESS)
    return refusal("CUPTI takes no buffers", result);
  // CONCURRENT_KERNEL: plain KERNEL would run one kernel after the other.
  for (const auto kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET,
        CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_JIT}) {
    if (const auto result = cuptiActivityEnable(kind); result != CUPTI_SUCCESS)
      return refusal("CUPTI does not record the device's work", result);
  }
  return {};
}

void Activities::flush() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}

const DeviceWork* Activities::of(std::uint32_t correlation) const {
  const std::lock_guard lock(mutex_);
  const auto found = work_.find(correlation);
  return found == work_.end() ? nullptr : &found->second;
}

void Activities::take(const std::uint8_t* buffer, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  CUpti_Activity* record = nullptr;
  while (bytes > 0 &&
         cuptiActivityGetNextRecord(const_cast<std::uint8_t*>(buffer), bytes, &record) == CUPTI_SUCCESS)
    take_record(record);
  std::size_t lost = 0;
  if (cuptiActivityGetNumDroppedRecords(nullptr, 0, &lost) == CUPTI_SUCCESS) dropped_ += lost;
}

void Activities::take_record(const void* record) {
  const auto add = [&](std::uint32_t correlation, std::uint64_t begin, std::uint64_t end) -> DeviceWork& {
    DeviceWork& work = work_[correlation];
    const bool first = work.end == 0;
    // One call may be several operations, a pageable copy in pieces for one: then the whole of them.
    work.begin =
        first ? static_cast<std::int64_t>(begin) : std::min(work.begin, static_cast<std::int64_t>(begin));
    work.end = std::max(work.end, static_cast<std::int64_t>(end));
    return work;
  };
  switch (static_cast<const CUpti_Activity*>(record)->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto& kernel = *static_cast<const CUpti_ActivityKernel10*>(record);
      DeviceWork& work = add(kernel.correlationId, kernel.start, kernel.end);
      work.static_shared = static_cast<std::uint32_t>(kernel.staticSharedMemory);
      work.registers = kernel.registersPerThread;
      if (kernel.name != nullptr) work.name = kernel.name;
      return;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = *static_cast<const CUpti_ActivityMemcpy6*>(record);
      DeviceWork& work = add(copy.correlationId, copy.start, copy.end);
      work.from = memory_kind(copy.srcKind);
      work.to = memory_kind(copy.dstKind);
      return;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& fill = *static_cast<const CUpti_ActivityMemset4*>(record);
      add(fill.correlationId, fill.start, fill.end).to = memory_kind(fill.memoryKind);
      return;
    }
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      overheads_.push_back(overhead_of(*static_cast<const CUpti_ActivityOverhead3*>(record)));
      return;
    case CUPTI_ACTIVITY_KIND_JIT:
      overheads_.push_back(jit_of(*static_cast<const CUpti_ActivityJit2*>(record)));
      return;
    default:
      return;
  }
}

}  // namespace workbook::cupti
