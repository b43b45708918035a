// Capture and graphs: what is recorded, what spoils a capture, updates of an instance, a graph inside a
// graph.
#include "program.h"

namespace {

cudaStream_t make_stream(unsigned flags = cudaStreamDefault) {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, flags) == cudaSuccess);
  return stream;
}

// What ends a capture that this spoils.
template <class F>
cudaError_t end_after(unsigned flags, cudaError_t expected, F spoil) {
  cudaStream_t stream = make_stream(flags);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(spoil(stream) == expected);
  cudaGraph_t graph = nullptr;
  const cudaError_t end = cudaStreamEndCapture(stream, &graph);
  CHECK(end == cudaSuccess || graph == nullptr);
  if (graph != nullptr) CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  cudaGetLastError();
  return end;
}

void what_spoils_a_capture() {
  int* p = nullptr;
  CHECK(cudaMalloc(&p, 64) == cudaSuccess);
  CHECK(end_after(0, cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize) ==
        cudaErrorStreamCaptureInvalidated);
  CHECK(end_after(0, cudaErrorStreamCaptureUnsupported, cudaStreamQuery) ==
        cudaErrorStreamCaptureInvalidated);
  CHECK(end_after(0, cudaErrorStreamCaptureImplicit, [&](cudaStream_t) {
          return cudaMemsetAsync(p, 0, 64, nullptr);
        }) == cudaErrorStreamCaptureInvalidated);
  CHECK(end_after(cudaStreamNonBlocking, cudaSuccess,
                  [&](cudaStream_t) { return cudaMemsetAsync(p, 0, 64, nullptr); }) == cudaSuccess);
  // A stream that was drawn in and doesn't come back.
  cudaStream_t side = make_stream();
  cudaEvent_t fork = nullptr;
  CHECK(cudaEventCreate(&fork) == cudaSuccess);
  const auto draw_in = [&](cudaStream_t stream) {
    CHECK(cudaEventRecord(fork, stream) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(side, fork, 0) == cudaSuccess);
    return cudaMemsetAsync(p, 0, 64, side);
  };
  CHECK(end_after(0, cudaSuccess, draw_in) == cudaErrorStreamCaptureUnjoined);
  // Not captured any more.
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  CHECK(cudaStreamIsCapturing(side, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone);
  CHECK(cudaMemsetAsync(p, 0, 64, side) == cudaSuccess);
  CHECK(cudaStreamSynchronize(side) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(side, &graph) == cudaErrorIllegalState);
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
  cudaGetLastError();
  CHECK(cudaEventDestroy(fork) == cudaSuccess && cudaStreamDestroy(side) == cudaSuccess &&
        cudaFree(p) == cudaSuccess);
}

int calls = 0;

cudaGraph_t capture_one_fill(cudaStream_t stream, unsigned char* p, int value) {
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaMemsetAsync(p, value, 16, stream) == cudaSuccess);
  CHECK(cudaLaunchHostFunc(
            stream, [](void*) { ++calls; }, nullptr) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph != nullptr);
  return graph;
}

unsigned char first_byte(const unsigned char* p) {
  unsigned char value = 0;
  CHECK(cudaMemcpy(&value, p, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
  return value;
}

void nothing_runs_before_the_launch() {
  unsigned char* p = nullptr;
  CHECK(cudaMalloc(&p, 16) == cudaSuccess && cudaMemset(p, 1, 16) == cudaSuccess);
  cudaStream_t stream = make_stream();
  cudaGraph_t seven = capture_one_fill(stream, p, 7), nine = capture_one_fill(stream, p, 9);
  CHECK(first_byte(p) == 1 && calls == 0);
  std::size_t nodes = 0, edges = 0;
  CHECK(cudaGraphGetNodes(seven, nullptr, &nodes) == cudaSuccess && nodes == 2);
  CHECK(cudaGraphGetEdges(seven, nullptr, nullptr, nullptr, &edges) == cudaSuccess && edges == 1);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, seven, 0) == cudaSuccess);
  for (int k = 0; k < 3; ++k) CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(first_byte(p) == 7 && calls == 3);
  // The other graph has the same shape; a longer one has not.
  cudaGraphExecUpdateResultInfo info{};
  CHECK(cudaGraphExecUpdate(exec, nine, &info) == cudaSuccess && info.result == cudaGraphExecUpdateSuccess);
  CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(first_byte(p) == 9);
  cudaGraphNode_t child = nullptr, end = nullptr;
  CHECK(cudaGraphAddEmptyNode(&end, nine, nullptr, 0) == cudaSuccess);
  CHECK(cudaGraphExecUpdate(exec, nine, &info) == cudaErrorGraphExecUpdateFailure);
  cudaGetLastError();
  // A graph in a graph, which keeps a copy of it.
  cudaGraph_t outer = nullptr;
  CHECK(cudaGraphCreate(&outer, 0) == cudaSuccess);
  CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, seven) == cudaSuccess);
  CHECK(cudaGraphDestroy(seven) == cudaSuccess);
  cudaGraphExec_t outer_exec = nullptr;
  CHECK(cudaGraphInstantiate(&outer_exec, outer, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(outer_exec, nullptr) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
  CHECK(first_byte(p) == 7 && calls == 5);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess && cudaGraphExecDestroy(outer_exec) == cudaSuccess);
  CHECK(cudaGraphDestroy(nine) == cudaSuccess && cudaGraphDestroy(outer) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess && cudaFree(p) == cudaSuccess);
}

void a_circle_is_no_graph() {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t a = nullptr, b = nullptr;
  CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
  CHECK(cudaGraphAddEmptyNode(&a, graph, nullptr, 0) == cudaSuccess);
  CHECK(cudaGraphAddEmptyNode(&b, graph, &a, 1) == cudaSuccess);
  CHECK(cudaGraphAddDependencies(graph, &b, &a, nullptr, 1) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

}  // namespace

int main() {
  what_spoils_a_capture();
  nothing_runs_before_the_launch();
  a_circle_is_no_graph();
  return failures == 0 ? 0 : 1;
}
