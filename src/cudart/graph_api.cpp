// Graphs made by hand, and all graphs from the instance on.
#include <algorithm>

#include "cudart/call.h"
#include "cudart/callbacks.h"
#include "cudart/copies.h"
#include "cudart/graphs.h"
#include "cudart/modules.h"

namespace workbook::cudart {

namespace {

// An instance: a graph of its own, so that the first may be changed and destroyed.
struct Instance {
  Graph graph;
  std::vector<GraphNode*> order;
};

// Host time of a launch beside that of one kernel, for each node. Not measured; a launch of a graph is known
// to cost little more than that of a kernel.
constexpr std::int64_t ns_per_node = 100;

std::vector<std::unique_ptr<Instance>>& instances() {
  static auto* const all = new std::vector<std::unique_ptr<Instance>>;
  return *all;
}

GraphNode* node_of(cudaGraphNode_t handle) {
  return reinterpret_cast<GraphNode*>(handle);
}
cudaGraphNode_t handle_of(GraphNode* node) {
  return reinterpret_cast<cudaGraphNode_t>(node);
}

Graph* find(cudaGraph_t handle) {
  return reinterpret_cast<Graph*>(handle);
}
Instance* find(cudaGraphExec_t handle) {
  const auto& all = instances();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& other) {
    return other.get() == reinterpret_cast<Instance*>(handle);
  });
  return found == all.end() ? nullptr : found->get();
}

bool needs_of(const Graph& graph, const cudaGraphNode_t* handles, std::size_t count,
              std::vector<GraphNode*>& needs) {
  if (count != 0 && handles == nullptr) return false;
  for (std::size_t k = 0; k < count; ++k) {
    if (!graph.has(node_of(handles[k]))) return false;
    needs.push_back(node_of(handles[k]));
  }
  return true;
}

cudaError_t add(Call& call, cudaGraphNode_t* out, cudaGraph_t handle, const cudaGraphNode_t* handles,
                std::size_t count, cudaGraphNodeType type, Work work) {
  Graph* const graph = find(handle);
  std::vector<GraphNode*> needs;
  if (out == nullptr || graph == nullptr || !needs_of(*graph, handles, count, needs))
    return call.end(cudaErrorInvalidValue);
  *out = handle_of(graph->add(type, std::move(needs), std::move(work)));
  return call.end(cudaSuccess);
}

// Finds the kernel and checks the launch as far as a node can; the rest is checked when it runs.
cudaError_t kernel_node(const cudaKernelNodeParams* p, Work& work) {
  if (p == nullptr || p->kernelParams == nullptr) return cudaErrorInvalidValue;
  Kernel* const kernel = Modules::get().find(p->func);
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  if (const int error = Modules::get().ready(*kernel, /*launching=*/false); error != cudaSuccess)
    return static_cast<cudaError_t>(error);
  sim::Device& device = Runtime::get().device();
  Launch l;
  l.grid = p->gridDim;
  l.block = p->blockDim;
  l.shared = p->sharedMemBytes;
  l.arguments = p->kernelParams;
  const sim::FunctionFacts& facts = device.facts(*kernel->function);
  cudaError_t error = cudaSuccess;
  if (!refused_shape(device.limits(), facts, kernel->max_dynamic_shared, l, error).empty()) return error;
  work = kernel_work(kernel, l, facts);
  return cudaSuccess;
}

cudaError_t memset_node(const cudaMemsetParams* p, Work& work) {
  if (p == nullptr || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
    return cudaErrorInvalidValue;
  const unsigned byte = p->value & 0xffu;
  const unsigned repeated = p->elementSize == 1   ? byte
                            : p->elementSize == 2 ? byte * 0x0101u
                                                  : byte * 0x01010101u;
  if (p->value != repeated) return cudaErrorNotSupported;  // the elements' bytes differ
  const Rows rows{reinterpret_cast<std::uint64_t>(p->dst), 0, p->pitch, 0, p->width * p->elementSize,
                  std::max<std::size_t>(p->height, 1)};
  work = fill_work(rows, static_cast<int>(byte));
  return cudaSuccess;
}

void copy_nodes(const Graph& from, Graph& to) {
  for (const auto& node : from.nodes) to.add(node->type, {}, node->run)->original = node.get();
  for (std::size_t k = 0; k < from.nodes.size(); ++k) {
    for (const GraphNode* need : from.nodes[k]->needs) {
      const auto at =
          std::find_if(from.nodes.begin(), from.nodes.end(), [&](const auto& n) { return n.get() == need; });
      to.nodes[k]->needs.push_back(to.nodes[static_cast<std::size_t>(at - from.nodes.begin())].get());
    }
  }
}

cudaError_t run(const std::vector<GraphNode*>& order, cudaStream_t stream) {
  for (const GraphNode* node : order) {
    if (node->run == nullptr) continue;
    if (const cudaError_t error = node->run(stream); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t instantiate(const char* api, cudaGraphExec_t* out, cudaGraph_t handle) {
  Call call(api);
  if (call.refused()) return call.refusal();
  const Graph* const graph = find(handle);
  if (out == nullptr || graph == nullptr) return call.end(cudaErrorInvalidValue);
  auto instance = std::make_unique<Instance>();
  copy_nodes(*graph, instance->graph);
  instance->order = instance->graph.in_order();
  if (instance->order.size() != graph->nodes.size()) return call.end(cudaErrorInvalidValue);
  *out = reinterpret_cast<cudaGraphExec_t>(instance.get());
  instances().push_back(std::move(instance));
  return call.end(cudaSuccess);
}

// Handles into an array that may be smaller, or absent when only the number is asked for.
cudaError_t hand_out(const std::vector<GraphNode*>& nodes, cudaGraphNode_t* out, std::size_t* count) {
  if (count == nullptr) return cudaErrorInvalidValue;
  if (out != nullptr) {
    for (std::size_t k = 0; k < *count; ++k) out[k] = k < nodes.size() ? handle_of(nodes[k]) : nullptr;
    *count = std::min(*count, nodes.size());
  } else {
    *count = nodes.size();
  }
  return cudaSuccess;
}

GraphNode* instance_node(Instance* instance, cudaGraphNode_t original) {
  if (instance == nullptr) return nullptr;
  for (const auto& node : instance->graph.nodes)
    if (node->original == node_of(original)) return node.get();
  return nullptr;
}

}  // namespace

}  // namespace workbook::cudart

using namespace workbook::cudart;  // NOLINT: the exported functions below are part of it

cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned flags) {
  Call call("cudaGraphCreate");
  if (call.refused()) return call.refusal();
  if (out == nullptr || flags != 0) return call.end(cudaErrorInvalidValue);
  *out = reinterpret_cast<cudaGraph_t>(new Graph);
  return call.end(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  Call call("cudaGraphDestroy");
  if (call.refused()) return call.refusal();
  if (handle == nullptr) return call.end(cudaErrorInvalidValue);
  delete find(handle);
  return call.end(cudaSuccess);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                  std::size_t count) {
  Call call("cudaGraphAddEmptyNode");
  if (call.refused()) return call.refusal();
  return add(call, out, graph, needs, count, cudaGraphNodeTypeEmpty, nullptr);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   std::size_t count, const cudaKernelNodeParams* params) {
  Call call("cudaGraphAddKernelNode");
  if (call.refused()) return call.refusal();
  Work work;
  if (const cudaError_t error = kernel_node(params, work); error != cudaSuccess) return call.end(error);
  return add(call, out, graph, needs, count, cudaGraphNodeTypeKernel, std::move(work));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   std::size_t count, const cudaMemsetParams* params) {
  Call call("cudaGraphAddMemsetNode");
  if (call.refused()) return call.refusal();
  Work work;
  if (const cudaError_t error = memset_node(params, work); error != cudaSuccess) return call.end(error);
  return add(call, out, graph, needs, count, cudaGraphNodeTypeMemset, std::move(work));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                     std::size_t count, void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  Call call("cudaGraphAddMemcpyNode1D");
  if (call.refused()) return call.refusal();
  const Rows rows{reinterpret_cast<std::uint64_t>(to), reinterpret_cast<std::uint64_t>(from), 0, 0, bytes, 1};
  return add(call, out, graph, needs, count, cudaGraphNodeTypeMemcpy, copy_work(rows, kind));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   std::size_t count, const cudaMemcpy3DParms* p) {
  Call call("cudaGraphAddMemcpyNode");
  if (call.refused()) return call.refusal();
  if (p == nullptr) return call.end(cudaErrorInvalidValue);
  if (p->srcArray != nullptr || p->dstArray != nullptr || p->extent.depth != 1 || p->srcPos.z != 0 ||
      p->dstPos.z != 0)
    return call.end(cudaErrorNotSupported);
  const auto at = [](const cudaPitchedPtr& side, const cudaPos& position) {
    return reinterpret_cast<std::uint64_t>(side.ptr) + position.y * side.pitch + position.x;
  };
  const Rows rows{at(p->dstPtr, p->dstPos), at(p->srcPtr, p->srcPos), p->dstPtr.pitch,
                  p->srcPtr.pitch,          p->extent.width,          p->extent.height};
  return add(call, out, graph, needs, count, cudaGraphNodeTypeMemcpy, copy_work(rows, p->kind));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                 std::size_t count, const cudaHostNodeParams* params) {
  Call call("cudaGraphAddHostNode");
  if (call.refused()) return call.refusal();
  if (params == nullptr || params->fn == nullptr) return call.end(cudaErrorInvalidValue);
  const cudaHostNodeParams p = *params;
  return add(call, out, graph, needs, count, cudaGraphNodeTypeHost,
             [p](cudaStream_t stream) { return cudaLaunchHostFunc(stream, p.fn, p.userData); });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                       std::size_t count, cudaGraph_t child_handle) {
  Call call("cudaGraphAddChildGraphNode");
  if (call.refused()) return call.refusal();
  const Graph* const child = find(child_handle);
  if (child == nullptr || child_handle == graph) return call.end(cudaErrorInvalidValue);
  const auto copied = std::make_shared<Graph>();
  copy_nodes(*child, *copied);
  const std::vector<GraphNode*> order = copied->in_order();
  if (order.size() != child->nodes.size()) return call.end(cudaErrorInvalidValue);
  return add(call, out, graph, needs, count, cudaGraphNodeTypeGraph,
             [copied, order](cudaStream_t stream) { return run(order, stream); });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*, std::size_t count) {
  Call call("cudaGraphAddDependencies");
  if (call.refused()) return call.refusal();
  const Graph* const graph = find(handle);
  std::vector<GraphNode*> needs, nodes;
  if (graph == nullptr || !needs_of(*graph, from, count, needs) || !needs_of(*graph, to, count, nodes))
    return call.end(cudaErrorInvalidValue);
  for (std::size_t k = 0; k < count; ++k) {
    if (needs[k] == nodes[k]) return call.end(cudaErrorInvalidValue);
    nodes[k]->needs.push_back(needs[k]);
  }
  return call.end(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* out, std::size_t* count) {
  Call call("cudaGraphGetNodes");
  if (call.refused()) return call.refusal();
  if (handle == nullptr) return call.end(cudaErrorInvalidValue);
  std::vector<GraphNode*> nodes;
  for (const auto& node : find(handle)->nodes) nodes.push_back(node.get());
  return call.end(hand_out(nodes, out, count));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* out, std::size_t* count) {
  Call call("cudaGraphGetRootNodes");
  if (call.refused()) return call.refusal();
  if (handle == nullptr) return call.end(cudaErrorInvalidValue);
  std::vector<GraphNode*> nodes;
  for (const auto& node : find(handle)->nodes)
    if (node->needs.empty()) nodes.push_back(node.get());
  return call.end(hand_out(nodes, out, count));
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, std::size_t* count) {
  Call call("cudaGraphGetEdges");
  if (call.refused()) return call.refusal();
  if (handle == nullptr || count == nullptr) return call.end(cudaErrorInvalidValue);
  std::size_t found = 0;
  for (const auto& node : find(handle)->nodes) {
    for (GraphNode* need : node->needs) {
      if (from != nullptr && to != nullptr && found < *count) {
        from[found] = handle_of(need);
        to[found] = handle_of(node.get());
        if (edges != nullptr) edges[found] = {};
      }
      ++found;
    }
  }
  *count = from == nullptr ? found : std::min(*count, found);
  return call.end(cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* out) {
  Call call("cudaGraphNodeGetType");
  if (call.refused()) return call.refusal();
  if (node == nullptr || out == nullptr) return call.end(cudaErrorInvalidValue);
  *out = node_of(node)->type;
  return call.end(cudaSuccess);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long) {
  return instantiate("cudaGraphInstantiate", out, graph);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long) {
  return instantiate("cudaGraphInstantiateWithFlags", out, graph);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  Call call("cudaGraphExecDestroy");
  if (call.refused()) return call.refusal();
  const Instance* const instance = find(handle);
  if (instance == nullptr) return call.end(cudaErrorInvalidValue);
  std::erase_if(instances(), [&](const auto& other) { return other.get() == instance; });
  return call.end(cudaSuccess);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t) {
  Call call("cudaGraphUpload");
  if (call.refused()) return call.refusal();
  return call.end(find(handle) == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  Call call("cudaGraphLaunch");
  if (call.refused()) return call.refusal();
  const Instance* const instance = find(handle);
  Stream* const stream = find_stream(stream_handle);
  if (instance == nullptr) return call.end(cudaErrorInvalidValue);
  if (stream == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (captures_run()) {
    // Inside a capture the graph becomes a node of the other.
    const auto copied = std::make_shared<Graph>();
    copy_nodes(instance->graph, *copied);
    const auto order = copied->in_order();
    const auto work = [copied, order](cudaStream_t s) { return run(order, s); };
    if (const auto captured = capture_work(*stream, cudaGraphNodeTypeGraph, work)) return call.end(*captured);
  }
  call.spend(call.runtime.costs().launch_call +
             ns_per_node * static_cast<std::int64_t>(instance->order.size()));
  Replay replay;
  return call.end(run(instance->order, stream_handle));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params) {
  Call call("cudaGraphExecKernelNodeSetParams");
  if (call.refused()) return call.refusal();
  GraphNode* const mine = instance_node(find(handle), node);
  if (mine == nullptr || mine->type != cudaGraphNodeTypeKernel) return call.end(cudaErrorInvalidValue);
  return call.end(kernel_node(params, mine->run));
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  Call call("cudaGraphKernelNodeSetParams");
  if (call.refused()) return call.refusal();
  if (node == nullptr || node_of(node)->type != cudaGraphNodeTypeKernel)
    return call.end(cudaErrorInvalidValue);
  return call.end(kernel_node(params, node_of(node)->run));
}

// The nodes of the other graph take the place of those of the instance, if they are as many, of the same
// types and with the same edges.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo* info) {
  Call call("cudaGraphExecUpdate");
  if (call.refused()) return call.refusal();
  Instance* const instance = find(handle);
  const Graph* const graph = find(graph_handle);
  if (instance == nullptr || graph == nullptr || info == nullptr) return call.end(cudaErrorInvalidValue);
  *info = {};
  Graph other;
  copy_nodes(*graph, other);
  const auto place = [](const Graph& g, const GraphNode* n) {
    return std::find_if(g.nodes.begin(), g.nodes.end(), [&](const auto& m) { return m.get() == n; }) -
           g.nodes.begin();
  };
  bool same = other.nodes.size() == instance->graph.nodes.size();
  for (std::size_t k = 0; same && k < other.nodes.size(); ++k) {
    const GraphNode &a = *other.nodes[k], &b = *instance->graph.nodes[k];
    same = a.type == b.type && a.needs.size() == b.needs.size() &&
           std::equal(a.needs.begin(), a.needs.end(), b.needs.begin(),
                      [&](const GraphNode* x, const GraphNode* y) {
                        return place(other, x) == place(instance->graph, y);
                      });
  }
  if (!same) {
    info->result = cudaGraphExecUpdateErrorTopologyChanged;
    return call.end(cudaErrorGraphExecUpdateFailure);
  }
  for (std::size_t k = 0; k < other.nodes.size(); ++k) {
    instance->graph.nodes[k]->run = other.nodes[k]->run;
    instance->graph.nodes[k]->original = other.nodes[k]->original;
  }
  info->result = cudaGraphExecUpdateSuccess;
  return call.end(cudaSuccess);
}
