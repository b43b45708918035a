// Events: marks in a stream, with the device's time.
#include "cudart/call.h"
#include "cudart/graphs.h"

namespace workbook::cudart {

namespace {

constexpr unsigned known_flags = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

Event* find(Runtime& runtime, cudaEvent_t handle) {
  const auto found = runtime.events.find(reinterpret_cast<Event*>(handle));
  return found == runtime.events.end() ? nullptr : found->second.get();
}

cudaError_t make(const char* api, cudaEvent_t* out, unsigned flags) {
  Call call(api, trace::EventKind::event);
  if (call.refused()) return call.refusal();
  if (out == nullptr || (flags & ~known_flags) != 0) return call.end(cudaErrorInvalidValue);
  auto event = std::make_unique<Event>();
  event->flags = flags;
  event->number = ++call.runtime.events_made;
  call.event.name = "create";
  call.event.address = static_cast<std::uint64_t>(event->number);
  *out = reinterpret_cast<cudaEvent_t>(event.get());
  Event* const key = event.get();
  call.runtime.events[key] = std::move(event);
  return call.end(cudaSuccess);
}

cudaError_t record(const char* api, cudaEvent_t handle, cudaStream_t stream_handle) {
  Call call(api, trace::EventKind::event);
  if (call.refused()) return call.refusal();
  Runtime& runtime = call.runtime;
  Event* const event = find(runtime, handle);
  Stream* const stream = find_stream(stream_handle);
  if (event == nullptr || stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  call.event.name = "record";
  call.event.address = static_cast<std::uint64_t>(event->number);
  call.event.stream = stream->number;
  if (captures_run()) {
    if (const auto captured = capture_record(*stream, *event)) return call.end(*captured);
  }
  call.spend(runtime.costs().event_record);
  auto traced = call.take_event(/*device_writes=*/true);
  Op op;
  // The mark reaches the device at the end of the call, as a launch does: between two events stand the calls
  // between them and the work, which is what the model's launch cost was measured as.
  op.earliest = runtime.now() + runtime.costs().launch_latency;
  op.end = [traced](const Op& self) {
    traced->device_begin_ns = self.started;
    traced->device_end_ns = self.ended;
    Runtime::get().write(*traced);
  };
  event->op = runtime.engine().enqueue(*stream, std::move(op));
  return call.end(cudaSuccess);
}

}  // namespace

}  // namespace workbook::cudart

using namespace workbook::cudart;  // NOLINT: the exported functions below are part of it
using trace_kind = workbook::trace::EventKind;

cudaError_t cudaEventCreate(cudaEvent_t* out) {
  return make("cudaEventCreate", out, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags) {
  return make("cudaEventCreateWithFlags", out, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  Call call("cudaEventDestroy", trace_kind::event);
  if (call.refused()) return call.refusal();
  const Event* const event = find(call.runtime, handle);
  if (event == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  call.event.name = "destroy";
  call.event.address = static_cast<std::uint64_t>(event->number);
  call.runtime.events.erase(reinterpret_cast<Event*>(handle));
  return call.end(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return record("cudaEventRecord", event, stream);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return record("cudaEventRecordWithFlags", event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  Call call("cudaEventQuery");
  if (call.refused()) return call.refusal();
  call.spend(call.runtime.costs().event_query);
  const Event* const event = find(call.runtime, handle);
  if (event == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (const auto refused = refused_by_capture(*event)) return call.end(*refused);
  return call.end(event->op == nullptr || call.runtime.engine().ask(event->op) ? cudaSuccess
                                                                               : cudaErrorNotReady);
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  Call call("cudaEventSynchronize", trace_kind::sync);
  if (call.refused()) return call.refusal();
  const Event* const event = find(call.runtime, handle);
  if (event == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  call.event.name = "event";
  call.event.address = static_cast<std::uint64_t>(event->number);
  if (const auto refused = refused_by_capture(*event)) return call.end(*refused);
  if (const OpRef op = event->op; op != nullptr) call.runtime.engine().wait(op);
  call.spend(call.runtime.costs().synchronize);
  call.runtime.show_output();
  return call.end(static_cast<cudaError_t>(call.runtime.sticky()));
}

cudaError_t cudaEventElapsedTime(float* out, cudaEvent_t from_handle, cudaEvent_t to_handle) {
  Call call("cudaEventElapsedTime");
  if (call.refused()) return call.refusal();
  const Event* const from = find(call.runtime, from_handle);
  const Event* const to = find(call.runtime, to_handle);
  if (out == nullptr) return call.end(cudaErrorInvalidValue);
  if (from == nullptr || to == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  const bool timed = ((from->flags | to->flags) & cudaEventDisableTiming) == 0;
  if (!timed || from->op == nullptr || to->op == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (!from->op->done() || !to->op->done()) return call.end(cudaErrorNotReady);
  call.runtime.engine().host_knows(to->op->ordered);
  *out = static_cast<float>(static_cast<double>(to->op->ended - from->op->ended) * 1e-6);
  return call.end(cudaSuccess);
}
