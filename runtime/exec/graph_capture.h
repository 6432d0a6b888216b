/// From a task graph to a captured CUDA graph, and which nodes each task became.
#pragma once

#include <functional>
#include <map>
#include <unordered_set>
#include <vector>

#include "runtime/cuda/cuda_event.h"
#include "runtime/cuda/cuda_graph.h"
#include "runtime/exec/device_context.h"
#include "runtime/model/execution_plan.h"

namespace quintet {

/// The nodes of one task, in the order in which they run.
struct TaskNodes {
  TaskId task;
  StreamKind stream = StreamKind::COMP_1;
  std::vector<cudaGraphNode_t> nodes;
};

struct CapturedTasks {
  Graph graph;
  std::vector<TaskNodes> tasks;  ///< in issue order
};

/// Enqueues one task on the stream whose resources it is given.
using TaskLauncher = std::function<void(TaskId task, StreamKind stream)>;

/// Captures on the context's own streams, in thread-local mode; nothing else may use them
/// meanwhile. Owns the events of capture, made before it, apart from those of a run. A blocking
/// stream joins every capture: while it is in, work on the legacy default stream fails instead of
/// running outside the graph. Throws CudaError, with the task's name: a call that failed, a task
/// that launched nothing.
class GraphCapture {
 public:
  GraphCapture(const ExecutionPlan& plan, const DeviceContext& context);
  ~GraphCapture();
  GraphCapture(const GraphCapture&) = delete;
  GraphCapture& operator=(const GraphCapture&) = delete;

  CapturedTasks capture(const TaskGraph& graph, const TaskLauncher& launch);

 private:
  void fork(const TaskGraph& graph);
  void join(const TaskGraph& graph);
  void put(const TaskGraph& graph, std::size_t index, const TaskLauncher& launch);
  [[nodiscard]] std::vector<cudaGraphNode_t> frontier(StreamKind stream) const;
  /// Nodes behind `ends` that no earlier task has, in the order in which they run.
  std::vector<cudaGraphNode_t> new_nodes(const std::vector<cudaGraphNode_t>& ends);

  const ExecutionPlan& plan_;
  const DeviceContext& context_;
  cudaStream_t canary_ = nullptr;
  Event begin_;
  std::vector<Event> done_;  ///< one per task of the largest graph
  std::vector<Event> end_;   ///< by StreamKind, then the canary's
  std::map<TaskId, std::size_t> event_of_;
  std::unordered_set<cudaGraphNode_t> known_;
  std::vector<TaskNodes> tasks_;
};

}  // namespace quintet
