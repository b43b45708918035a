// Copies and fills, on the way through the runner.
#include "harness/runner/delays.h"
#include "harness/runner/interpose.h"
#include "harness/runner/sample.h"

using workbook::runner::copy_must_fail;
using workbook::runner::hold_back;
using workbook::runner::memory_kind;
using workbook::runner::Passing;
using workbook::runner::stream_number;
using workbook::runner::work_was_queued;
using workbook::trace::EventKind;
using workbook::trace::MemoryKind;

namespace {

void describe(Passing& passing, const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (!passing.recorded()) return;
  passing.event.address = reinterpret_cast<std::uint64_t>(to);
  passing.event.source = reinterpret_cast<std::uint64_t>(from);
  passing.event.bytes = bytes;
  passing.event.direction = workbook::trace::copy_direction(kind);
  passing.event.to = memory_kind(to);
  passing.event.from = memory_kind(from);
}

void describe_fill(Passing& passing, const void* to, std::size_t bytes) {
  if (!passing.recorded()) return;
  passing.event.address = reinterpret_cast<std::uint64_t>(to);
  passing.event.bytes = bytes;
  passing.event.to = memory_kind(to);
}

// No kind that there is: asked of the real function, so that the runtime keeps the error as it would.
constexpr auto no_kind = static_cast<cudaMemcpyKind>(7);

// The failure that was ordered, whatever the real function thinks of it.
cudaError_t refused(cudaError_t result) {
  return result == cudaSuccess ? cudaErrorInvalidMemcpyDirection : result;
}

}  // namespace

WRAP(cudaMemcpy, (void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind)) {
  Passing passing(EventKind::copy, "cudaMemcpy");
  describe(passing, to, from, bytes, kind);
  if (copy_must_fail()) return passing.done(refused(__real_cudaMemcpy(to, from, bytes, no_kind)));
  work_was_queued(nullptr);
  return passing.done(__real_cudaMemcpy(to, from, bytes, kind));
}

WRAP(cudaMemcpyAsync,
     (void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)) {
  Passing passing(EventKind::copy, "cudaMemcpyAsync");
  describe(passing, to, from, bytes, kind);
  passing.event.asynchronous = true;
  if (passing.recorded()) passing.event.stream = stream_number(stream);
  if (copy_must_fail())
    return passing.done(refused(__real_cudaMemcpyAsync(to, from, bytes, no_kind, stream)));
  hold_back(stream);
  work_was_queued(stream);
  return passing.done(__real_cudaMemcpyAsync(to, from, bytes, kind, stream));
}

WRAP(cudaMemcpy2D, (void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                    std::size_t width, std::size_t height, cudaMemcpyKind kind)) {
  Passing passing(EventKind::copy, "cudaMemcpy2D");
  describe(passing, to, from, width * height, kind);
  if (copy_must_fail())
    return passing.done(refused(__real_cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, no_kind)));
  work_was_queued(nullptr);
  return passing.done(__real_cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind));
}

WRAP(cudaMemcpyToSymbol,
     (const void* symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind)) {
  Passing passing(EventKind::copy, "cudaMemcpyToSymbol");
  describe(passing, nullptr, from, bytes, kind);
  passing.event.to = MemoryKind::device;
  if (copy_must_fail())
    return passing.done(refused(__real_cudaMemcpyToSymbol(symbol, from, bytes, offset, no_kind)));
  work_was_queued(nullptr);
  return passing.done(__real_cudaMemcpyToSymbol(symbol, from, bytes, offset, kind));
}

WRAP(cudaMemcpyFromSymbol,
     (void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind)) {
  Passing passing(EventKind::copy, "cudaMemcpyFromSymbol");
  describe(passing, to, nullptr, bytes, kind);
  passing.event.from = MemoryKind::device;
  if (copy_must_fail())
    return passing.done(refused(__real_cudaMemcpyFromSymbol(to, symbol, bytes, offset, no_kind)));
  work_was_queued(nullptr);
  return passing.done(__real_cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind));
}

WRAP(cudaMemset, (void* to, int value, std::size_t bytes)) {
  Passing passing(EventKind::memset, "cudaMemset");
  describe_fill(passing, to, bytes);
  work_was_queued(nullptr);
  return passing.done(__real_cudaMemset(to, value, bytes));
}

WRAP(cudaMemsetAsync, (void* to, int value, std::size_t bytes, cudaStream_t stream)) {
  Passing passing(EventKind::memset, "cudaMemsetAsync");
  describe_fill(passing, to, bytes);
  passing.event.asynchronous = true;
  if (passing.recorded()) passing.event.stream = stream_number(stream);
  hold_back(stream);
  work_was_queued(stream);
  return passing.done(__real_cudaMemsetAsync(to, value, bytes, stream));
}
