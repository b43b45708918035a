// Graphs: work that is put together once, by hand or by capturing streams, and launched many times.
//
// A node keeps what a call would have done as a function that puts it into a stream. A launch puts the nodes,
// in an order that their edges allow, into the stream that it is given; they run one after another there.
// Nodes that a GPU may run side by side therefore take the sum of their times here, which docs/time-model.md
// says.
//
// While a stream is captured, its calls make nodes instead of work. `tail` of a stream holds the nodes that
// the next one needs; an event that is recorded in it carries them to the streams that wait for the event,
// and draws those into the capture.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cudart/api.h"
#include "cudart/copies.h"
#include "cudart/launch.h"
#include "cudart/runtime.h"

namespace workbook::cudart {

struct Graph;

struct GraphNode {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::vector<GraphNode*> needs;
  std::function<cudaError_t(cudaStream_t)> run;  // null: an empty node
  Graph* graph = nullptr;
  const GraphNode* original = nullptr;  // of a node in an executable graph: the one it was made from
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>>
      nodes;  // none stands before one that it needs, unless edges came later
  GraphNode* add(cudaGraphNodeType type, std::vector<GraphNode*> needs,
                 std::function<cudaError_t(cudaStream_t)> run);
  bool has(const GraphNode* node) const;
  // The nodes in an order in which none comes before one that it needs; empty when there is a circle.
  std::vector<GraphNode*> in_order() const;
};

struct Capture {
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  Stream* origin = nullptr;
  std::uint64_t id = 0;
  bool active = true, invalid = false;
};

using Work = std::function<cudaError_t(cudaStream_t)>;

// The launch of a kernel as work to be done later: the arguments are copied now.
Work kernel_work(Kernel* kernel, const Launch& launch, const sim::FunctionFacts& facts);
Work copy_work(const Rows& rows, cudaMemcpyKind kind);
Work fill_work(const Rows& rows, int value);

// True while any stream is captured: the cheap question before those below.
bool captures_run();
// What a call that puts work into this stream returns instead of doing it; nothing: it is to be done.
std::optional<cudaError_t> capture_work(Stream& stream, cudaGraphNodeType type, Work work);
// The same for an event that is recorded, and for a stream that waits for it.
std::optional<cudaError_t> capture_record(Stream& stream, Event& event);
std::optional<cudaError_t> capture_wait(Stream& stream, const Event& event);
// A call that captured work does not allow: waiting for a stream (null: for the device), an allocation. It
// spoils the capture.
std::optional<cudaError_t> refused_by_capture(Stream* stream);
std::optional<cudaError_t> refused_by_capture(const Event& event);

// While it lives, calls of this thread take no host time: they are part of one cudaGraphLaunch.
class Replay {
 public:
  Replay();
  ~Replay();
};
bool replaying();

}  // namespace workbook::cudart
