/// CUDA graphs: what a capture yields, and what can be launched.
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <utility>
#include <vector>

#include "runtime/cuda/cuda_stream.h"

namespace quintet {

/// Refers to a graph that somebody else owns.
class GraphRef {
 public:
  explicit GraphRef(cudaGraph_t native) : native_(native) {}
  GraphRef(std::nullptr_t) = delete;
  [[nodiscard]] cudaGraph_t get() const { return native_; }

  [[nodiscard]] std::vector<cudaGraphNode_t> nodes() const;
  /// (from, to) of every edge.
  [[nodiscard]] std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> edges() const;

 private:
  cudaGraph_t native_;
};

/// The nodes that `node` directly depends on.
std::vector<cudaGraphNode_t> dependencies_of(cudaGraphNode_t node);

/// Owns a graph. Usage: Graph graph = Graph::from_native(captured);
class Graph {
 public:
  static Graph from_native(cudaGraph_t native) { return Graph(native); }
  ~Graph();
  Graph(Graph&& other) noexcept : native_(std::exchange(other.native_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    std::swap(native_, other.native_);
    return *this;
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  [[nodiscard]] GraphRef ref() const { return GraphRef(native_); }

 private:
  explicit Graph(cudaGraph_t native) : native_(native) {}
  cudaGraph_t native_;
};

/// Owns an executable graph whose nodes keep the priorities of the streams they were captured from.
/// Threads: one launch at a time. Throws CudaError.
class ExecutableGraph {
 public:
  explicit ExecutableGraph(GraphRef graph);
  ~ExecutableGraph();
  ExecutableGraph(ExecutableGraph&& other) noexcept
      : native_(std::exchange(other.native_, nullptr)) {}
  ExecutableGraph(const ExecutableGraph&) = delete;
  ExecutableGraph& operator=(const ExecutableGraph&) = delete;
  ExecutableGraph& operator=(ExecutableGraph&&) = delete;

  /// Brings it to the device, so that the first launch does not.
  void upload(StreamRef stream) const;
  void launch(StreamRef stream) const;

 private:
  cudaGraphExec_t native_ = nullptr;
};

}  // namespace quintet
