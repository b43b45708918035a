// Streams: made, waited for, asked, and the program's own functions in them.
#include <algorithm>

#include "cudart/call.h"
#include "cudart/callbacks.h"
#include "cudart/errors.h"
#include "cudart/graphs.h"
#include "cudart/hazards.h"

namespace workbook::cudart {

namespace {

constexpr int highest_priority = -5;  // the range of an H200: 0 to -5

cudaError_t make(const char* api, cudaStream_t* out, unsigned flags, int priority) {
  Call call(api, trace::EventKind::stream);
  if (call.refused()) return call.refusal();
  if (out == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0)
    return call.end(cudaErrorInvalidValue);
  Stream* const stream = call.runtime.engine().create(flags, std::clamp(priority, highest_priority, 0));
  call.runtime.hazards().begin();
  call.event.stream = stream->number;
  call.event.name = (flags & cudaStreamNonBlocking) != 0 ? "create non-blocking" : "create";
  *out = handle_of(stream);
  return call.end(cudaSuccess);
}

// The event kind, the stream's number in the trace, and the stream; null when the handle is bad.
Stream* subject(Call& call, cudaStream_t handle) {
  Stream* const stream = find_stream(handle);
  if (stream != nullptr) call.event.stream = stream->number;
  return stream;
}

template <class T, class Get>
cudaError_t ask(const char* api, cudaStream_t handle, T* out, Get get) {
  Call call(api);
  if (call.refused()) return call.refusal();
  Stream* const stream = find_stream(handle);
  if (stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (out == nullptr) return call.end(cudaErrorInvalidValue);
  *out = get(*stream);
  return call.end(cudaSuccess);
}

cudaError_t add_callback(Call& call, cudaStream_t handle, std::function<void()> function) {
  Stream* const stream = subject(call, handle);
  if (stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  call.event.name = "host function";
  if (captures_run()) {
    const Work work = [function](cudaStream_t later) {
      Call again("cudaGraphLaunch", trace::EventKind::stream);
      if (again.refused()) return again.refusal();
      return add_callback(again, later, function);
    };
    if (const auto captured = capture_work(*stream, cudaGraphNodeTypeHost, work)) return call.end(*captured);
  }
  call.spend(call.runtime.costs().launch_call);
  enqueue_callback(call.runtime.engine(), *stream, call.runtime.now() + call.runtime.costs().launch_latency,
                   std::move(function));
  return call.end(cudaSuccess);
}

}  // namespace

}  // namespace workbook::cudart

using namespace workbook::cudart;  // NOLINT: the exported functions below are part of it
using trace_kind = workbook::trace::EventKind;

cudaError_t cudaStreamCreate(cudaStream_t* out) {
  return make("cudaStreamCreate", out, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags) {
  return make("cudaStreamCreateWithFlags", out, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* out, unsigned flags, int priority) {
  return make("cudaStreamCreateWithPriority", out, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  Call call("cudaStreamDestroy", trace_kind::stream);
  if (call.refused()) return call.refusal();
  call.event.name = "destroy";
  Stream* const stream = subject(call, handle);
  if (stream == nullptr || stream->number == 0 || handle == cudaStreamPerThread) {
    return call.end(cudaErrorInvalidResourceHandle);
  }
  call.runtime.engine().destroy(stream);
  return call.end(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  Call call("cudaStreamSynchronize", trace_kind::sync);
  if (call.refused()) return call.refusal();
  call.event.name = "stream";
  Stream* const stream = subject(call, handle);
  if (stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (captures_run()) {
    if (const auto refused = refused_by_capture(stream)) return call.end(*refused);
  }
  call.runtime.engine().wait_for_stream(*stream);
  call.spend(call.runtime.costs().synchronize);
  call.runtime.show_output();
  return call.end(static_cast<cudaError_t>(call.runtime.sticky()));
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  Call call("cudaStreamQuery");
  if (call.refused()) return call.refusal();
  call.spend(call.runtime.costs().event_query);
  Stream* const stream = subject(call, handle);
  if (stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (captures_run()) {
    if (const auto refused = refused_by_capture(stream)) return call.end(*refused);
  }
  return call.end(call.runtime.engine().ask(*stream) ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
  Call call("cudaStreamWaitEvent", trace_kind::event);
  if (call.refused()) return call.refusal();
  call.event.name = "wait";
  Stream* const stream = subject(call, handle);
  const auto found = call.runtime.events.find(reinterpret_cast<Event*>(event));
  if (stream == nullptr || found == call.runtime.events.end())
    return call.end(cudaErrorInvalidResourceHandle);
  if (flags > cudaEventWaitExternal) return call.end(cudaErrorInvalidValue);
  call.event.address = static_cast<std::uint64_t>(found->second->number);
  if (captures_run()) {
    if (const auto captured = capture_wait(*stream, *found->second)) return call.end(*captured);
  }
  if (found->second->op == nullptr) return call.end(cudaSuccess);  // never recorded: nothing to wait for
  Op op;
  op.earliest = call.runtime.now();
  op.after.push_back(found->second->op);
  call.runtime.engine().enqueue(*stream, std::move(op));
  return call.end(cudaSuccess);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
  Call call("cudaLaunchHostFunc", trace_kind::stream);
  if (call.refused()) return call.refusal();
  if (function == nullptr) return call.end(cudaErrorInvalidValue);
  return add_callback(call, handle, [function, data] { function(data); });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  Call call("cudaStreamAddCallback", trace_kind::stream);
  if (call.refused()) return call.refusal();
  if (callback == nullptr || flags != 0) return call.end(cudaErrorInvalidValue);
  return add_callback(call, handle, [handle, callback, data] {
    callback(handle, static_cast<cudaError_t>(Runtime::get().sticky()), data);
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* out) {
  return ask("cudaStreamGetFlags", handle, out, [](const Stream& stream) { return stream.flags; });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* out) {
  return ask("cudaStreamGetPriority", handle, out, [](const Stream& stream) { return stream.priority; });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* out) {
  return ask("cudaStreamGetId", handle, out, [](const Stream& stream) { return stream.id; });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* out) {
  return ask("cudaStreamGetDevice", handle, out, [](const Stream&) { return 0; });
}
