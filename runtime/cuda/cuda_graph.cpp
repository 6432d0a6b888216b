#include "runtime/cuda/cuda_graph.h"

#include "runtime/cuda/cuda_error.h"

namespace quintet {

std::vector<cudaGraphNode_t> GraphRef::nodes() const {
  std::size_t count = 0;
  check(cudaGraphGetNodes(native_, nullptr, &count), "counting a graph's nodes");
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(native_, nodes.data(), &count), "reading a graph's nodes");
  return nodes;
}

std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> GraphRef::edges() const {
  std::size_t count = 0;
  check(cudaGraphGetEdges(native_, nullptr, nullptr, nullptr, &count), "counting a graph's edges");
  std::vector<cudaGraphNode_t> from(count);
  std::vector<cudaGraphNode_t> to(count);
  std::vector<cudaGraphEdgeData> data(count);
  check(cudaGraphGetEdges(native_, from.data(), to.data(), data.data(), &count),
        "reading a graph's edges");
  std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> edges;
  edges.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    edges.emplace_back(from[i], to[i]);
  return edges;
}

std::vector<cudaGraphNode_t> dependencies_of(cudaGraphNode_t node) {
  std::size_t count = 0;
  check(cudaGraphNodeGetDependencies(node, nullptr, nullptr, &count),
        "counting a node's dependencies");
  std::vector<cudaGraphNode_t> nodes(count);
  std::vector<cudaGraphEdgeData> data(count);
  if (count == 0) return nodes;
  check(cudaGraphNodeGetDependencies(node, nodes.data(), data.data(), &count),
        "reading a node's dependencies");
  return nodes;
}

Graph::~Graph() {
  if (native_ != nullptr) note_failure(cudaGraphDestroy(native_), "destroying a graph");
}

ExecutableGraph::ExecutableGraph(GraphRef graph) {
  check(
      cudaGraphInstantiateWithFlags(&native_, graph.get(), cudaGraphInstantiateFlagUseNodePriority),
      "instantiating a graph");
}

ExecutableGraph::~ExecutableGraph() {
  if (native_ != nullptr)
    note_failure(cudaGraphExecDestroy(native_), "destroying an executable graph");
}

void ExecutableGraph::upload(StreamRef stream) const {
  check(cudaGraphUpload(native_, stream.get()), "uploading a graph");
}

void ExecutableGraph::launch(StreamRef stream) const {
  check(cudaGraphLaunch(native_, stream.get()), "launching a graph");
}

}  // namespace quintet
