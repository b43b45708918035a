#include "cudart/graphs.h"

#include <algorithm>
#include <cstring>

#include "cudart/call.h"

namespace workbook::cudart {

namespace {

std::vector<std::shared_ptr<Capture>> active;
std::uint64_t captures_begun = 0;
thread_local int replay_depth = 0;

void end_capture(Capture& capture) {
  capture.active = false;
  std::erase_if(active, [&](const auto& other) { return other.get() == &capture; });
  Engine& engine = Runtime::get().engine();
  for (const auto& stream : engine.streams()) {
    if (stream->capture.get() != &capture) continue;
    stream->capture.reset();
    stream->tail.clear();
  }
}

// Everything that these nodes need, and they themselves.
std::vector<const GraphNode*> all_before(const std::vector<GraphNode*>& tail) {
  std::vector<const GraphNode*> found(tail.begin(), tail.end());
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (const GraphNode* need : found[k]->needs)
      if (std::find(found.begin(), found.end(), need) == found.end()) found.push_back(need);
  }
  return found;
}

bool all_joined(const Capture& capture) {
  const auto before = all_before(capture.origin->tail);
  const auto is_before = [&](const GraphNode* node) {
    return std::find(before.begin(), before.end(), node) != before.end();
  };
  for (const auto& stream : Runtime::get().engine().streams()) {
    if (stream->capture.get() == &capture &&
        !std::all_of(stream->tail.begin(), stream->tail.end(), is_before))
      return false;
  }
  return true;
}

// Does a capture forbid work in the legacy stream? That stream waits for every blocking one.
std::optional<cudaError_t> refused_in_legacy() {
  for (const auto& capture : active) {
    if (!capture->origin->blocking) continue;
    capture->invalid = true;
    return cudaErrorStreamCaptureImplicit;
  }
  return std::nullopt;
}

}  // namespace

GraphNode* Graph::add(cudaGraphNodeType type, std::vector<GraphNode*> needs, Work run) {
  auto node = std::make_unique<GraphNode>();
  node->type = type;
  node->needs = std::move(needs);
  node->run = std::move(run);
  node->graph = this;
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

bool Graph::has(const GraphNode* node) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& other) { return other.get() == node; });
}

std::vector<GraphNode*> Graph::in_order() const {
  std::vector<GraphNode*> order;
  const auto is_done = [&](const GraphNode* node) {
    return std::find(order.begin(), order.end(), node) != order.end();
  };
  for (bool any = true; any;) {
    any = false;
    for (const auto& node : nodes) {
      if (is_done(node.get()) || !std::all_of(node->needs.begin(), node->needs.end(), is_done)) continue;
      order.push_back(node.get());
      any = true;
    }
  }
  if (order.size() != nodes.size()) order.clear();
  return order;
}

Work kernel_work(Kernel* kernel, const Launch& launch_now, const sim::FunctionFacts& facts) {
  std::vector<std::byte> bytes(facts.parameter_bytes);
  std::vector<std::size_t> offsets;
  for (std::size_t i = 0; i < facts.parameters.size(); ++i) {
    offsets.push_back(facts.parameters[i].offset);
    std::memcpy(bytes.data() + offsets[i], launch_now.arguments[i], facts.parameters[i].size);
  }
  Launch later = launch_now;
  later.api = "cudaGraphLaunch";
  return [kernel, later, bytes, offsets](cudaStream_t stream) mutable {
    std::vector<void*> arguments;
    for (const std::size_t offset : offsets) arguments.push_back(bytes.data() + offset);
    later.arguments = arguments.data();
    later.stream = stream;
    return launch(kernel, later, cudaErrorInvalidResourceHandle);
  };
}

Work copy_work(const Rows& rows, cudaMemcpyKind kind) {
  return [rows, kind](cudaStream_t stream) {
    Call call("cudaGraphLaunch", trace::EventKind::copy);
    if (call.refused()) return call.refusal();
    return copy(call, rows, kind, stream, /*asynchronous=*/true);
  };
}

Work fill_work(const Rows& rows, int value) {
  return [rows, value](cudaStream_t stream) {
    Call call("cudaGraphLaunch", trace::EventKind::memset);
    if (call.refused()) return call.refusal();
    return fill(call, rows, value, stream, /*asynchronous=*/true);
  };
}

bool captures_run() {
  return !active.empty() && !replaying();
}

std::optional<cudaError_t> capture_work(Stream& stream, cudaGraphNodeType type, Work work) {
  if (stream.capture == nullptr) return stream.number == 0 ? refused_in_legacy() : std::nullopt;
  Capture& capture = *stream.capture;
  if (capture.invalid) return cudaErrorStreamCaptureInvalidated;
  stream.tail = {capture.graph->add(type, stream.tail, std::move(work))};
  return cudaSuccess;
}

std::optional<cudaError_t> capture_record(Stream& stream, Event& event) {
  event.capture.reset();
  event.tail.clear();
  if (stream.capture == nullptr) return stream.number == 0 ? refused_in_legacy() : std::nullopt;
  if (stream.capture->invalid) return cudaErrorStreamCaptureInvalidated;
  event.capture = stream.capture;
  event.tail = stream.tail;
  return cudaSuccess;
}

std::optional<cudaError_t> capture_wait(Stream& stream, const Event& event) {
  const bool captured = event.capture != nullptr && event.capture->active;
  if (!captured) {
    if (stream.capture == nullptr) return std::nullopt;
    stream.capture->invalid = true;
    return cudaErrorStreamCaptureIsolation;
  }
  if (stream.capture != nullptr && stream.capture != event.capture) {
    stream.capture->invalid = event.capture->invalid = true;
    return cudaErrorStreamCaptureMerge;
  }
  if (stream.number == 0) return cudaErrorStreamCaptureImplicit;
  if (event.capture->invalid) return cudaErrorStreamCaptureInvalidated;
  stream.capture = event.capture;
  for (GraphNode* node : event.tail)
    if (std::find(stream.tail.begin(), stream.tail.end(), node) == stream.tail.end())
      stream.tail.push_back(node);
  return cudaSuccess;
}

std::optional<cudaError_t> refused_by_capture(Stream* stream) {
  if (stream != nullptr && stream->number != 0) {
    if (stream->capture == nullptr) return std::nullopt;
    stream->capture->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  for (const auto& capture : active) {
    if (capture->mode == cudaStreamCaptureModeRelaxed) continue;
    capture->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return std::nullopt;
}

std::optional<cudaError_t> refused_by_capture(const Event& event) {
  if (event.capture == nullptr || !event.capture->active) return std::nullopt;
  event.capture->invalid = true;
  return cudaErrorCapturedEvent;
}

Replay::Replay() {
  ++replay_depth;
}
Replay::~Replay() {
  --replay_depth;
}
bool replaying() {
  return replay_depth > 0;
}

}  // namespace workbook::cudart

using namespace workbook::cudart;  // NOLINT: the exported functions below are part of it

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  Call call("cudaStreamBeginCapture");
  if (call.refused()) return call.refusal();
  Stream* const stream = find_stream(handle);
  if (stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
    return call.end(cudaErrorInvalidValue);
  if (stream->number == 0) return call.end(cudaErrorStreamCaptureUnsupported);
  if (stream->capture != nullptr) return call.end(cudaErrorIllegalState);
  stream->capture = std::make_shared<Capture>();
  stream->capture->mode = mode;
  stream->capture->origin = stream;
  stream->capture->id = ++captures_begun;
  active.push_back(stream->capture);
  return call.end(cudaSuccess);
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* out) {
  Call call("cudaStreamEndCapture");
  if (call.refused()) return call.refusal();
  Stream* const stream = find_stream(handle);
  if (stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (out == nullptr) return call.end(cudaErrorInvalidValue);
  const std::shared_ptr<Capture> capture = stream->capture;
  if (capture == nullptr) return call.end(cudaErrorIllegalState);
  *out = nullptr;
  cudaError_t error = cudaSuccess;
  if (capture->origin != stream)
    error = cudaErrorStreamCaptureUnmatched;
  else if (capture->invalid)
    error = cudaErrorStreamCaptureInvalidated;
  else if (!all_joined(*capture))
    error = cudaErrorStreamCaptureUnjoined;
  end_capture(*capture);
  if (error == cudaSuccess) *out = reinterpret_cast<cudaGraph_t>(capture->graph.release());
  return call.end(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* out) {
  Call call("cudaStreamIsCapturing");
  if (call.refused()) return call.refusal();
  const Stream* const stream = find_stream(handle);
  if (stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (out == nullptr) return call.end(cudaErrorInvalidValue);
  *out = stream->capture == nullptr ? cudaStreamCaptureStatusNone
         : stream->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
  return call.end(cudaSuccess);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** needs, const cudaGraphEdgeData** edges,
                                     std::size_t* count) {
  if (const cudaError_t error = cudaStreamIsCapturing(handle, status); error != cudaSuccess) return error;
  if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
  const Stream& stream = *find_stream(handle);
  if (id != nullptr) *id = stream.capture->id;
  if (graph != nullptr) *graph = reinterpret_cast<cudaGraph_t>(stream.capture->graph.get());
  if (needs != nullptr) *needs = reinterpret_cast<const cudaGraphNode_t*>(stream.tail.data());
  if (edges != nullptr) *edges = nullptr;
  if (count != nullptr) *count = stream.tail.size();
  return cudaSuccess;
}
