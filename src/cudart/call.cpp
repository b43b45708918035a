#include "cudart/call.h"

#include <fmt/format.h>

#include <cstdio>

#include "cudart/errors.h"
#include "cudart/frames.h"
#include "cudart/graphs.h"
#include "cudart/hazards.h"
#include "cudart/stubs.h"

namespace workbook::cudart {

namespace {

thread_local cudaError_t thread_error = cudaSuccess;
thread_local bool thread_in_callback = false;
thread_local int per_thread_depth = 0;
thread_local Stream* per_thread_stream = nullptr;

bool is_device_work(trace::EventKind kind) {
  return kind != trace::EventKind::api;
}

}  // namespace

cudaError_t& last_error() {
  return thread_error;
}
bool& in_callback() {
  return thread_in_callback;
}

cudaError_t remember(cudaError_t result) {
  if (result != cudaSuccess) thread_error = result;
  return result;
}

Call::Call(const char* name, trace::EventKind kind, Needs needs) : runtime(Runtime::get()) {
  runtime.scheduler().enter();
  event.kind = kind;
  event.api = name;
  event.id = runtime.next_id();
  event.thread = runtime.scheduler().self().index;
  event.host_begin_ns = runtime.now();
  keep = is_device_work(kind);
  runtime.need_driver();
  if (needs == Needs::nothing) return;
  if (in_callback()) {
    refusal_ = cudaErrorNotPermitted;
    return;
  }
  refusal_ = static_cast<cudaError_t>(runtime.sticky());
  if (refused()) return;
  runtime.need_context();
  event.frames = capture_frames();
}

Call::~Call() {
  if (!ended_) end(cudaErrorUnknown);
  runtime.engine().settle();
  runtime.scheduler().leave();
}

void Call::spend(std::int64_t ns) {
  spent_ = true;
  if (!replaying()) runtime.spend(ns);
}

cudaError_t Call::end(cudaError_t result) {
  if (!spent_) spend(runtime.costs().api_call);
  ended_ = true;
  remember(result);
  trace::Event& out = taken_ != nullptr ? *taken_ : event;
  out.host_end_ns = runtime.now();
  out.result = result;
  if (result != cudaSuccess) out.result_name = error_name(result);
  const bool left_to_device = device_writes_ && result == cudaSuccess;
  if (!left_to_device && (keep || (result != cudaSuccess && result != cudaErrorNotReady))) runtime.write(out);
  return result;
}

std::shared_ptr<trace::Event> Call::take_event(bool device_writes) {
  device_writes_ = device_writes;
  taken_ = std::make_shared<trace::Event>(std::move(event));
  return taken_;
}

Stream* find_stream(cudaStream_t handle) {
  Engine& engine = Runtime::get().engine();
  if (handle == cudaStreamLegacy) return &engine.legacy();
  if (handle == cudaStreamPerThread || (handle == nullptr && per_thread_depth > 0)) {
    if (per_thread_stream == nullptr || !engine.knows(per_thread_stream)) {
      per_thread_stream = engine.create(0, 0);
      Runtime::get().hazards().begin();
    }
    return per_thread_stream;
  }
  if (handle == nullptr) return &engine.legacy();
  auto* const stream = reinterpret_cast<Stream*>(handle);
  return engine.knows(stream) ? stream : nullptr;
}

cudaStream_t handle_of(Stream* stream) {
  return reinterpret_cast<cudaStream_t>(stream);
}

PerThreadDefault::PerThreadDefault() {
  ++per_thread_depth;
}
PerThreadDefault::~PerThreadDefault() {
  --per_thread_depth;
}

int not_supported(const char* name, bool& said) {
  Operation operation;
  Runtime& runtime = Runtime::get();
  if (!said) {
    said = true;
    const std::string text = fmt::format("{} is not supported on the simulated device yet", name);
    std::fputs(fmt::format("workbook: {}\n", text).c_str(), stderr);
    runtime.note("unsupported", text);
  }
  return remember(cudaErrorNotSupported);
}

}  // namespace workbook::cudart
