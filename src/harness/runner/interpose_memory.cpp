// Allocations and their ends, on the way through the runner.
#include "harness/runner/interpose.h"
#include "harness/runner/sample.h"

using workbook::runner::allocation_must_fail;
using workbook::runner::Passing;
using workbook::runner::stream_number;
using workbook::runner::too_many_bytes;
using workbook::trace::EventKind;
using workbook::trace::MemoryKind;

namespace {

cudaError_t allocated(Passing& passing, MemoryKind kind, void* const* pointer, std::size_t bytes,
                      cudaError_t result) {
  if (passing.recorded()) {
    passing.event.to = kind;
    passing.event.bytes = bytes;
    if (result == cudaSuccess) passing.event.address = reinterpret_cast<std::uint64_t>(*pointer);
  }
  return passing.done(result);
}

cudaError_t released(const char* api, MemoryKind kind, const void* pointer, cudaError_t (*real)(void*)) {
  Passing passing(EventKind::free, api);
  passing.event.to = kind;
  passing.event.address = reinterpret_cast<std::uint64_t>(pointer);
  return passing.done(real(const_cast<void*>(pointer)));
}

// The failure that was ordered, whatever the real function thinks of so many bytes.
cudaError_t refused(cudaError_t result) {
  return result == cudaSuccess ? cudaErrorMemoryAllocation : result;
}

}  // namespace

WRAP(cudaMalloc, (void** pointer, std::size_t bytes)) {
  Passing passing(EventKind::alloc, "cudaMalloc");
  if (allocation_must_fail())
    return allocated(passing, MemoryKind::device, pointer, bytes,
                     refused(__real_cudaMalloc(pointer, too_many_bytes)));
  return allocated(passing, MemoryKind::device, pointer, bytes, __real_cudaMalloc(pointer, bytes));
}

WRAP(cudaMallocAsync, (void** pointer, std::size_t bytes, cudaStream_t stream)) {
  Passing passing(EventKind::alloc, "cudaMallocAsync");
  passing.event.asynchronous = true;
  if (passing.recorded()) passing.event.stream = stream_number(stream);
  if (allocation_must_fail())
    return allocated(passing, MemoryKind::device, pointer, bytes,
                     refused(__real_cudaMallocAsync(pointer, too_many_bytes, stream)));
  return allocated(passing, MemoryKind::device, pointer, bytes,
                   __real_cudaMallocAsync(pointer, bytes, stream));
}

WRAP(cudaMallocHost, (void** pointer, std::size_t bytes)) {
  Passing passing(EventKind::alloc, "cudaMallocHost");
  if (allocation_must_fail())
    return allocated(passing, MemoryKind::pinned, pointer, bytes,
                     refused(__real_cudaMallocHost(pointer, too_many_bytes)));
  return allocated(passing, MemoryKind::pinned, pointer, bytes, __real_cudaMallocHost(pointer, bytes));
}

WRAP(cudaHostAlloc, (void** pointer, std::size_t bytes, unsigned flags)) {
  Passing passing(EventKind::alloc, "cudaHostAlloc");
  if (allocation_must_fail())
    return allocated(passing, MemoryKind::pinned, pointer, bytes,
                     refused(__real_cudaHostAlloc(pointer, too_many_bytes, flags)));
  return allocated(passing, MemoryKind::pinned, pointer, bytes, __real_cudaHostAlloc(pointer, bytes, flags));
}

WRAP(cudaMallocManaged, (void** pointer, std::size_t bytes, unsigned flags)) {
  Passing passing(EventKind::alloc, "cudaMallocManaged");
  // Managed memory can be larger than the device's, so the refusal is asked of cudaMalloc.
  if (allocation_must_fail())
    return allocated(passing, MemoryKind::managed, pointer, bytes,
                     refused(__real_cudaMalloc(pointer, too_many_bytes)));
  return allocated(passing, MemoryKind::managed, pointer, bytes,
                   __real_cudaMallocManaged(pointer, bytes, flags));
}

WRAP(cudaMallocPitch, (void** pointer, std::size_t* pitch, std::size_t width, std::size_t height)) {
  Passing passing(EventKind::alloc, "cudaMallocPitch");
  if (allocation_must_fail())
    return allocated(passing, MemoryKind::device, pointer, width * height,
                     refused(__real_cudaMalloc(pointer, too_many_bytes)));
  const cudaError_t result = __real_cudaMallocPitch(pointer, pitch, width, height);
  return allocated(passing, MemoryKind::device, pointer, result == cudaSuccess ? *pitch * height : 0, result);
}

WRAP(cudaFree, (void* pointer)) {
  workbook::runner::about_to_wait_for_all();  // it does
  return released("cudaFree", MemoryKind::device, pointer, __real_cudaFree);
}

WRAP(cudaFreeHost, (void* pointer)) {
  return released("cudaFreeHost", MemoryKind::pinned, pointer, __real_cudaFreeHost);
}

WRAP(cudaFreeAsync, (void* pointer, cudaStream_t stream)) {
  Passing passing(EventKind::free, "cudaFreeAsync");
  passing.event.asynchronous = true;
  passing.event.to = MemoryKind::device;
  passing.event.address = reinterpret_cast<std::uint64_t>(pointer);
  if (passing.recorded()) passing.event.stream = stream_number(stream);
  return passing.done(__real_cudaFreeAsync(pointer, stream));
}

WRAP(cudaHostRegister, (void* pointer, std::size_t bytes, unsigned flags)) {
  Passing passing(EventKind::alloc, "cudaHostRegister");
  passing.event.to = MemoryKind::pinned;
  passing.event.address = reinterpret_cast<std::uint64_t>(pointer);
  passing.event.bytes = bytes;
  return passing.done(__real_cudaHostRegister(pointer, bytes, flags));
}

WRAP(cudaHostUnregister, (void* pointer)) {
  Passing passing(EventKind::free, "cudaHostUnregister");
  passing.event.to = MemoryKind::pinned;
  passing.event.address = reinterpret_cast<std::uint64_t>(pointer);
  return passing.done(__real_cudaHostUnregister(pointer));
}
